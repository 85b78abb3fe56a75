// pric_index: the set and tag of an address under the pseudo-random interleaved cache index.
//
// set_o is the line address, read as a polynomial over GF(2), modulo POLY: each set bit is the XOR of the address bits
// in its row of the H-matrix, whose column i is x^i mod POLY. tag_o is the line address above its lowest log2(SETS)
// bits. Together they determine the line.
//
// Latency     none: combinational from addr_i.
// Throughput  an address a cycle.
// Handshake   none.
// Source      dwt-pric, section 4.3; ADDR_BITS = 27 gives Figure 7 as printed, ADDR_BITS = ADDR_W the exact remainder.
// Golden twin csim/hw/twins/pric.h
`default_nettype none
module pric_index #(
    parameter ADDR_W     = 32,           // bits of an address, up to 64
    parameter ADDR_BITS  = ADDR_W,       // of which the lowest so many are hashed; from log2(LINE_BYTES * SETS) to
                                         // ADDR_W
    parameter LINE_BYTES = 128,          // a power of two, 1..65536
    parameter SETS       = 32,           // a power of two, 2..65536
    parameter POLY       = 37            // irreducible, of degree log2(SETS); bit i is the coefficient of x^i
) (
    input  wire [ADDR_W-1:0]                                  addr_i,
    output wire [$clog2(SETS)-1:0]                            set_o,
    output wire [ADDR_W-$clog2(LINE_BYTES)-$clog2(SETS)-1:0]  tag_o
);
    localparam LINE_W = $clog2(LINE_BYTES);
    localparam SET_W  = $clog2(SETS);

    // ---- the H-matrix, at elaboration ----

    function integer degree(input integer p);
        integer i;
        begin
            degree = 0;
            for (i = 1; i < 31; i = i + 1)
                if ((p >> i) != 0) degree = i;
        end
    endfunction

    // No polynomial of degree 1 to half of p's divides p.
    function integer irreducible(input integer p);
        integer q, r, i, of_p, of_q;
        begin
            irreducible = 1;
            of_p = degree(p);
            of_q = 1;
            for (q = 2; 2 * of_q <= of_p; q = q + 1) begin
                r = p;
                for (i = of_p; i >= of_q; i = i - 1)
                    if (((r >> i) & 1) != 0) r = r ^ (q << (i - of_q));
                if (r == 0) irreducible = 0;
                if (((q + 1) >> (of_q + 1)) != 0) of_q = of_q + 1;
            end
        end
    endfunction

    // The address bits whose XOR is set bit j: those whose column, x^(bit - LINE_W) mod POLY, has bit j.
    function [ADDR_W-1:0] row(input integer j);
        integer column, i;
        begin
            row    = {ADDR_W{1'b0}};
            column = 1;
            for (i = LINE_W; i < ADDR_BITS; i = i + 1) begin
                row[i] = ((column >> j) & 1) != 0;
                column = column << 1;
                if ((column & SETS) != 0) column = column ^ POLY;
            end
        end
    endfunction

    generate
        if (LINE_BYTES < 1 || LINE_BYTES > 65536 || LINE_BYTES != (1 << LINE_W)) begin : g_bad_line
            ILLEGAL_LINE_BYTES_must_be_a_power_of_two_1_to_65536 u ();
        end
        if (SETS < 2 || SETS > 65536 || SETS != (1 << SET_W)) begin : g_bad_sets
            ILLEGAL_SETS_must_be_a_power_of_two_2_to_65536 u ();
        end
        if (ADDR_W > 64 || ADDR_W <= LINE_W + SET_W) begin : g_bad_addr_w
            ILLEGAL_ADDR_W_must_be_above_log2_of_LINE_BYTES_times_SETS_and_at_most_64 u ();
        end
        if (ADDR_BITS > ADDR_W || ADDR_BITS < LINE_W + SET_W) begin : g_bad_addr_bits
            ILLEGAL_ADDR_BITS_must_be_log2_of_LINE_BYTES_times_SETS_to_ADDR_W u ();
        end
        if (POLY < 2 || degree(POLY) != SET_W) begin : g_bad_degree
            ILLEGAL_POLY_must_have_degree_log2_of_SETS u ();
        end else if (irreducible(POLY) == 0) begin : g_bad_poly
            ILLEGAL_POLY_must_be_irreducible u ();
        end
    endgenerate

    // ---- the sums ----

    genvar g;
    generate
        for (g = 0; g < SET_W; g = g + 1) begin : g_set
            localparam [ADDR_W-1:0] ROW = row(g);
            assign set_o[g] = ^(addr_i & ROW);
        end
    endgenerate

    assign tag_o = addr_i[ADDR_W-1:LINE_W+SET_W];
endmodule
`default_nettype wire
