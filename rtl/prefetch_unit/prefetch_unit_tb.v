// Runs cycles of the golden twin through prefetch_unit: +vectors=FILE, a line a cycle: all inputs and then all outputs
// before the edge, each a number in hex in which the ports are in the order of csim/hw/twins/prefetch_unit.h, the first
// one lowest. For Icarus (tests/664).
`default_nettype none
module prefetch_unit_tb #(
    parameter ENTRIES     = 16,
    parameter TILES       = 8,
    parameter TILE_W      = 32,
    parameter ADDR_W      = 48,
    parameter DIST_W      = 32,
    parameter LINE        = 128,
    parameter DEPTH       = 8,
    parameter SPARE_MSHRS = 8,
    parameter SPARE_QUEUE = 2
);
    localparam ENTRY_W = $clog2(ENTRIES);
    localparam SLOT_W = TILES > 2 ? $clog2(TILES) : 1;
    localparam LINE_W  = ADDR_W - $clog2(LINE);
    localparam IN_W    = 1 + 1 + 2 + ENTRY_W + 2*ADDR_W + DIST_W + 1 + 4 + 2*11 + 2 + ENTRY_W + TILE_W + 1 + ENTRY_W + SLOT_W + DIST_W;
    localparam OUT_W   = 1 + 1 + 1 + LINE_W + 1 + 1 + 2 + 1;

`include "clocked_tb.vh"
    wire               acc_valid, acc_missed, acc_wait, look_known, look_there, look_way, look_dirty, cta_valid,
                       cta_end, wr_valid;
    wire [1:0]         acc_prefetch;
    wire [ENTRY_W-1:0] acc_entry, cta_entry, wr_entry;
    wire [ADDR_W-1:0]  acc_addr, acc_bound;
    wire [DIST_W-1:0]  acc_distance, wr_distance;
    wire [10:0]        free_mshrs, free_queue;
    wire [TILE_W-1:0]  cta_tile;
    wire [SLOT_W-1:0] wr_slot;
    wire               acc_kept, acc_lost, look_valid, issue, drop, busy;
    wire [LINE_W-1:0]  look_line;
    wire [1:0]         why;
    assign {wr_distance, wr_slot, wr_entry, wr_valid, cta_tile, cta_entry, cta_end, cta_valid, free_queue,
            free_mshrs, look_dirty, look_way, look_there, look_known, acc_wait, acc_distance, acc_bound,
            acc_addr, acc_entry, acc_prefetch, acc_missed, acc_valid} = in;
    assign out = {busy, why, drop, issue, look_line, look_valid, acc_lost, acc_kept};
    prefetch_unit #(.ENTRIES(ENTRIES), .TILES(TILES), .TILE_W(TILE_W), .ADDR_W(ADDR_W), .DIST_W(DIST_W), .LINE(LINE),
                    .DEPTH(DEPTH), .SPARE_MSHRS(SPARE_MSHRS), .SPARE_QUEUE(SPARE_QUEUE)) dut (
        .clk_i(clk), .rst_i(rst), .acc_valid_i(acc_valid), .acc_missed_i(acc_missed),
        .acc_prefetch_i(acc_prefetch), .acc_entry_i(acc_entry), .acc_addr_i(acc_addr), .acc_bound_i(acc_bound),
        .acc_distance_i(acc_distance), .acc_wait_i(acc_wait), .look_known_i(look_known),
        .look_there_i(look_there), .look_way_i(look_way), .look_dirty_i(look_dirty), .free_mshrs_i(free_mshrs),
        .free_queue_i(free_queue), .cta_valid_i(cta_valid), .cta_end_i(cta_end), .cta_entry_i(cta_entry),
        .cta_tile_i(cta_tile), .wr_valid_i(wr_valid), .wr_entry_i(wr_entry), .wr_slot_i(wr_slot),
        .wr_distance_i(wr_distance), .acc_kept_o(acc_kept), .acc_lost_o(acc_lost), .look_valid_o(look_valid),
        .look_line_o(look_line), .issue_o(issue), .drop_o(drop), .why_o(why), .busy_o(busy)
    );
endmodule
`default_nettype wire
