import "DPI-C" function void f();
%%%%
`systemc_header
