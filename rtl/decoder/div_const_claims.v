// div_const_claims: what is proved of div_const (make formal): quotient and remainder, of every number.
`default_nettype none
module div_const_claims #(
    parameter W  = 32,
    parameter BY = 3
) (
    input wire [W-1:0] x_i
);
    localparam R_W = $clog2(BY);
    wire [W-R_W:0] q;
    wire [R_W-1:0] r;
    div_const #(.W(W), .BY(BY)) dut (.x_i(x_i), .q_o(q), .r_o(r));

    // BY times the quotient, by its bits, with room for what is too much.
    wire [W+1:0]   wide = {{R_W+1{1'b0}}, q};
    wire [W+1:0]   times = (BY[0] ? wide : 0) + (BY[1] ? wide << 1 : 0) + (BY[2] ? wide << 2 : 0) + (BY[3] ? wide << 3 : 0);

    always @* assert ({{32-R_W{1'b0}}, r} < BY && times + {{W+2-R_W{1'b0}}, r} == {2'b00, x_i});
    always @* each_remainder: cover ({{32-R_W{1'b0}}, r} == BY - 1 && q != 0);
endmodule
`default_nettype wire
