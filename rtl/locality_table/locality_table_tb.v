// Runs cycles of the golden twin through locality_table: +vectors=FILE, a line a cycle: all inputs and then all outputs
// before the edge, each a number in hex in which the ports stand in the order of csim/hw/twins/locality_table.h, the
// first one lowest. For Icarus (tests/651).
`default_nettype none
module locality_table_tb #(
    parameter ENTRIES = 16,
    parameter ADDR_W  = 48,
    parameter PRIO_W  = 8,
    parameter DIST_W  = 32
);
    localparam INDEX_W = $clog2(ENTRIES);
    localparam IN_W    = 1 + INDEX_W + 1 + 2*ADDR_W + PRIO_W + 2 + 2 + DIST_W + 1 + ADDR_W + 1;
    localparam OUT_W   = 1 + 1 + 1 + INDEX_W + 2 + 2 + DIST_W + ADDR_W + 1;

`include "clocked_tb.vh"
    wire               wr_valid, wr_used, look_valid, ans_ready;
    wire [INDEX_W-1:0] wr_index;
    wire [ADDR_W-1:0]  wr_base, wr_bound, look_addr;
    wire [PRIO_W-1:0]  wr_prio;
    wire [1:0]         wr_caching, wr_prefetch;
    wire [DIST_W-1:0]  wr_distance;
    wire               look_ready, ans_valid, ans_match, busy;
    wire [INDEX_W-1:0] ans_index;
    wire [1:0]         ans_caching, ans_prefetch;
    wire [DIST_W-1:0]  ans_distance;
    wire [ADDR_W-1:0]  ans_bound;
    assign {ans_ready, look_addr, look_valid, wr_distance, wr_prefetch, wr_caching, wr_prio, wr_bound, wr_base, wr_used, wr_index,
            wr_valid} = in;
    assign out = {busy, ans_bound, ans_distance, ans_prefetch, ans_caching, ans_index, ans_match, ans_valid, look_ready};
    locality_table #(.ENTRIES(ENTRIES), .ADDR_W(ADDR_W), .PRIO_W(PRIO_W), .DIST_W(DIST_W)) dut (
        .clk_i(clk), .rst_i(rst), .wr_valid_i(wr_valid), .wr_index_i(wr_index), .wr_used_i(wr_used), .wr_base_i(wr_base),
        .wr_bound_i(wr_bound), .wr_prio_i(wr_prio), .wr_caching_i(wr_caching), .wr_prefetch_i(wr_prefetch),
        .wr_distance_i(wr_distance), .look_valid_i(look_valid), .look_ready_o(look_ready), .look_addr_i(look_addr),
        .ans_valid_o(ans_valid), .ans_ready_i(ans_ready), .ans_match_o(ans_match), .ans_index_o(ans_index),
        .ans_caching_o(ans_caching), .ans_prefetch_o(ans_prefetch), .ans_distance_o(ans_distance), .ans_bound_o(ans_bound),
        .busy_o(busy)
    );
endmodule
`default_nettype wire
