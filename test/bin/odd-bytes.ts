// Output with invalid UTF-8, NUL, colours and a progress bar of carriage returns.
process.stdout.write(Buffer.from([0x61, 0xff, 0xfe, 0x00, 0x62, 0x0a]));
process.stdout.write("\u001B[31mred\u001B[0m\n 10%\r 50%\r100%\n");
