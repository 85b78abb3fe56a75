`define A(x) x``y
module c; initial $c("x"); endmodule
