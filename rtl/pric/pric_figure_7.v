// pric_figure_7: pric_index with ADDR_BITS = 27 against Figure 7, typed in from the paper (make formal).
//
// 0  the printed equations
// 1  they are the exact remainder where A[31:27] is 0
// 2  the tag is A[31:12] in both forms
`default_nettype none
module pric_figure_7 #(
    parameter CLAIM = 0
) (
    input wire [31:0] A
);
    wire [4:0]  printed, exact;
    wire [19:0] tag_printed, tag_exact;
    pric_index #(.ADDR_BITS(27)) of_printed (.addr_i(A), .set_o(printed), .tag_o(tag_printed));
    pric_index                   of_exact   (.addr_i(A), .set_o(exact), .tag_o(tag_exact));

    wire [4:0] I;
    assign I[0] = A[25]^A[24]^A[23]^A[22]^A[21]^A[18]^A[17]^A[15]^A[12]^A[7];
    assign I[1] = A[26]^A[25]^A[24]^A[23]^A[22]^A[19]^A[18]^A[16]^A[13]^A[8];
    assign I[2] = A[26]^A[22]^A[21]^A[20]^A[19]^A[18]^A[15]^A[14]^A[12]^A[9];
    assign I[3] = A[23]^A[22]^A[21]^A[20]^A[19]^A[16]^A[15]^A[13]^A[10];
    assign I[4] = A[24]^A[23]^A[22]^A[21]^A[20]^A[17]^A[16]^A[14]^A[11];

    always @*
        case (CLAIM)
            0: assert (printed == I);
            1: if (A[31:27] == 5'd0) assert (printed == exact);
            default: assert (tag_printed == A[31:12] && tag_exact == A[31:12]);
        endcase

    // What the above talks about can happen.
    always @* begin
        forms_agree: cover (A[31:27] == 5'd0 && printed == exact && printed != 5'd0);
        forms_differ: cover (printed != exact);
    end
endmodule
`default_nettype wire
