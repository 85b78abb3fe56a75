// div3_claims: what is proved of div3 (make formal): quotient and remainder by three, of every number.
`default_nettype none
module div3_claims #(
    parameter W = 32
) (
    input wire [W-1:0] x_i
);
    wire [W-2:0] q;
    wire [1:0]   r;
    div3 #(.W(W)) dut (.x_i(x_i), .q_o(q), .r_o(r));

    always @* assert (r != 2'd3 && {2'b00, q} + {1'b0, q, 1'b0} + {{W-1{1'b0}}, r} == {1'b0, x_i});
    always @* each_remainder: cover (r == 2'd2 && q != 0);
endmodule
`default_nettype wire
