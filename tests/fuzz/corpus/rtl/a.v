`default_nettype none
`include "b.vh"
`define W 8
module a #(parameter N = 4) (input wire [`W-1:0] x, output wire [$clog2(N)-1:0] y);
    assign y = $unsigned(x);
endmodule
%%%%
`ifndef B
`define B
`endif
