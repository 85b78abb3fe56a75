// div_const: exact quotient and remainder of a number by a small odd constant.
//
// Long division in base 4, from the top: a quotient digit and the next remainder are tables of the digit and of the
// remainder of what is above it. The remainder of a group of four digits alone is found for all groups at once; with
// the remainder of what is above the group, times 256, it makes the one that the next group has above it. So only one
// small table a group is in the longest path, and not one a digit.
//
// Latency     none: combinational from x_i.
// Throughput  a number a cycle.
// Handshake   none.
// Source      our choice; the skipping is that of a carry-skip adder.
// Golden twin csim/hw/twins/addr_decoder.h (C's division)
`default_nettype none
module div_const #(
    parameter W  = 32,                   // bits of the number, log2(BY)..64
    parameter BY = 3                     // odd, 3..15
) (
    input  wire [W-1:0]          x_i,
    output wire [W-$clog2(BY):0] q_o,
    output wire [$clog2(BY)-1:0] r_o
);
    localparam R_W   = $clog2(BY);       // of a remainder
    localparam Q_W   = W - R_W + 1;
    localparam N     = (W + 7) / 8;      // groups of four digits
    localparam X_W   = 8 * N;
    localparam LOG_E = R_W <= 2 ? 1 : 2; // entries of tables have 2 or 4 bits
    localparam E     = 1 << LOG_E;

    generate
        if (BY < 3 || BY > 15 || BY % 2 == 0) begin : g_bad_by
            ILLEGAL_BY_must_be_odd_3_to_15 u ();
        end
        if (W < R_W || W > 64) begin : g_bad_w
            ILLEGAL_W_must_be_log2_of_BY_to_64 u ();
        end
    endgenerate

    // Tables of 4 * above + digit: modulo BY, and divided by it. Tables of a remainder above a group, and of the
    // group's own. What no remainder comes to is 0. They are constants that are indexed: a simulator takes a shift to
    // look into such a table, and a chain of comparisons for a case statement.
    function [(E << (R_W + 2))-1:0] rest_table(input integer from);
        integer i, b;
        begin
            rest_table = 0;
            for (i = from; i < 4 * BY; i = i + 1)
                for (b = 0; b < R_W; b = b + 1)
                    rest_table[i * E + b] = (((i % BY) >> b) & 1) != 0;
        end
    endfunction

    function [(2 << (R_W + 2))-1:0] digit_table(input integer from);
        integer i, b;
        begin
            digit_table = 0;
            for (i = from; i < 4 * BY; i = i + 1)
                for (b = 0; b < 2; b = b + 1)
                    digit_table[i * 2 + b] = (((i / BY) >> b) & 1) != 0;
        end
    endfunction

    function [(E << (2 * R_W))-1:0] sum_table(input integer from);
        integer above, own, b;
        begin
            sum_table = 0;
            for (above = from; above < BY; above = above + 1)
                for (own = 0; own < BY; own = own + 1)
                    for (b = 0; b < R_W; b = b + 1)
                        sum_table[((above << R_W) + own) * E + b] = (((256 * above + own) % BY >> b) & 1) != 0;
        end
    endfunction

    localparam [(E << (R_W + 2))-1:0] REST  = rest_table(0);
    localparam [(2 << (R_W + 2))-1:0] DIGIT = digit_table(0);
    localparam [(E << (2 * R_W))-1:0] SUM   = sum_table(0);

    function [R_W-1:0] rest(input [R_W-1:0] above, input [1:0] digit);
        rest = REST[{above, digit, {LOG_E{1'b0}}} +: R_W];
    endfunction

    function [1:0] quotient(input [R_W-1:0] above, input [1:0] digit);
        quotient = DIGIT[{above, digit, 1'b0} +: 2];
    endfunction

    function [R_W-1:0] sum(input [R_W-1:0] above, input [R_W-1:0] own);
        sum = SUM[{above, own, {LOG_E{1'b0}}} +: R_W];
    endfunction

    wire [X_W-1:0] x = {{X_W-W{1'b0}}, x_i};
    wire [X_W-1:0] q;

    genvar n;
    generate
        for (n = 0; n < N; n = n + 1) begin : g_group
            wire [7:0]     d = x[8*n +: 8];
            wire [R_W-1:0] above, below; // the remainder of all above the group, and with the group
            wire [R_W-1:0] r3 = rest(above, d[7:6]);
            wire [R_W-1:0] r2 = rest(r3, d[5:4]);
            wire [R_W-1:0] r1 = rest(r2, d[3:2]);
            if (n == N - 1) begin : g_top
                assign above = {R_W{1'b0}};
            end else begin : g_further
                assign above = g_group[n+1].below;
            end
            assign below = sum(above, rest(rest(rest(rest({R_W{1'b0}}, d[7:6]), d[5:4]), d[3:2]), d[1:0]));
            assign q[8*n +: 8] = {quotient(above, d[7:6]), quotient(r3, d[5:4]), quotient(r2, d[3:2]), quotient(r1, d[1:0])};
        end
    endgenerate

    assign q_o = q[Q_W-1:0];
    assign r_o = g_group[0].below;

    wire unused_top = ^q[X_W-1:Q_W];     // 0: the quotient has fewer bits than the number
endmodule
`default_nettype wire
