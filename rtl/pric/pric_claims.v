// pric_claims: what is proved of pric_index (make formal; the lines are in rtl/pric/proofs.list). Not synthesised, not
// simulated.
//
// Inputs are free: an assertion is shown for all their values. CLAIM picks one assertion, as a solver is quickest with
// one at a time.
//
// 0  set_o is the remainder of the hashed line address divided by POLY
// 1  two lines never have the same (tag, set)
// 2  each pair (tag, set) is that of some line
`default_nettype none
module pric_claims #(
    parameter CLAIM      = 0,
    parameter ADDR_W     = 32,
    parameter ADDR_BITS  = ADDR_W,
    parameter LINE_BYTES = 128,
    parameter SETS       = 32,
    parameter POLY       = 37
) (
    input wire [ADDR_W-1:0] a_i,
    input wire [ADDR_W-1:0] b_i
);
    localparam LINE_W = $clog2(LINE_BYTES);
    localparam SET_W  = $clog2(SETS);
    localparam A_W    = ADDR_W - LINE_W;         // bits of a line address

    wire [A_W-1:0]       line_a = a_i[ADDR_W-1:LINE_W];
    wire [A_W-1:0]       line_b = b_i[ADDR_W-1:LINE_W];
    wire [SET_W-1:0]     set_a, set_b;
    wire [A_W-SET_W-1:0] tag_a, tag_b;
    pric_index #(ADDR_W, ADDR_BITS, LINE_BYTES, SETS, POLY) of_a (.addr_i(a_i), .set_o(set_a), .tag_o(tag_a));
    pric_index #(ADDR_W, ADDR_BITS, LINE_BYTES, SETS, POLY) of_b (.addr_i(b_i), .set_o(set_b), .tag_o(tag_b));

    // Long division as by hand, highest bit first: bring down a bit, subtract POLY when it goes. No H-matrix.
    reg [SET_W:0] rest;
    integer       i;
    always @* begin
        rest = {SET_W+1{1'b0}};
        for (i = ADDR_BITS - LINE_W - 1; i >= 0; i = i - 1) begin
            rest = {rest[SET_W-1:0], line_a[i]};
            if (rest[SET_W])
                rest = rest ^ POLY;
        end
    end

    // The line of the pair (tag, set) that is in b_i: that tag's bits above the set that makes up the difference.
    wire [ADDR_W-1:0]    base = b_i & ({ADDR_W{1'b1}} << (LINE_W + SET_W));
    wire [SET_W-1:0]     set_base, set_made;
    wire [A_W-SET_W-1:0] unused_tag, tag_made;
    wire [ADDR_W-1:0]    made = base | ({{ADDR_W-SET_W{1'b0}}, line_b[SET_W-1:0] ^ set_base} << LINE_W);
    pric_index #(ADDR_W, ADDR_BITS, LINE_BYTES, SETS, POLY) of_base (.addr_i(base), .set_o(set_base), .tag_o(unused_tag));
    pric_index #(ADDR_W, ADDR_BITS, LINE_BYTES, SETS, POLY) of_made (.addr_i(made), .set_o(set_made), .tag_o(tag_made));

    always @*
        case (CLAIM)
            0: assert (rest == {1'b0, set_a});
            1: if (line_a != line_b) assert ({tag_a, set_a} != {tag_b, set_b});
            default: assert ({tag_made, set_made} == line_b);
        endcase

    // What the above talks about can happen.
    always @* begin
        remainder: cover (rest != 0 && line_a > POLY);
        same_set: cover (line_a != line_b && set_a == set_b);
        same_tag: cover (line_a != line_b && tag_a == tag_b);
        made_elsewhere: cover (set_base != 0 && line_b != 0);
    end
endmodule
`default_nettype wire
