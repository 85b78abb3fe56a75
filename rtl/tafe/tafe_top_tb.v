// Runs cycles of the golden twin through tafe_top: +vectors=FILE, a line a cycle: all inputs and then all outputs
// before the edge, each a number in hex in which the ports are in the order of csim/hw/tafe/tafe.h, the first one
// lowest. For Icarus (tests/632).
`default_nettype none
module tafe_top_tb #(
    parameter ENTRIES = 2,
    parameter ADDR_W  = 48,
    parameter INDEX_W = 32,
    parameter TB_W    = 31,
    parameter BLOCK_W = 10
);
    localparam ENTRY_W = $clog2(ENTRIES);
    localparam LINE_W  = ADDR_W - 6;
    localparam IN_W    = 588 + ENTRY_W + 3*ADDR_W + 2*LINE_W + 2*INDEX_W + 3*TB_W + 3*BLOCK_W;
    localparam OUT_W   = 522 + LINE_W;

`include "clocked_tb.vh"

    wire               st_valid, cmd_valid, cmd_type, req_ready, rsp_valid, rsp_tag;
    wire [ADDR_W-1:0]  st_addr, cmd_base, cmd_limit;
    wire [63:0]        st_data;
    wire [1:0]         st_size, cmd_op, cmd_size;
    wire [ENTRY_W-1:0] cmd_entry;
    wire [LINE_W-1:0]  cmd_extents, cmd_source, req_line;
    wire [INDEX_W-1:0] cmd_c_s, cmd_c_e;
    wire [TB_W-1:0]    cmd_ctas, cmd_grid_x, cmd_grid_y;
    wire [3*BLOCK_W-1:0] cmd_block;
    wire [511:0]       rsp_data, req_data;
    wire               st_ready, cmd_ready, req_valid, req_write, req_tag, ev_tracked, ev_miss, ev_unmatched, ev_saturated, busy;
    assign {rsp_data, rsp_tag, rsp_valid, req_ready, cmd_block, cmd_grid_y, cmd_grid_x, cmd_ctas, cmd_c_e, cmd_c_s, cmd_source,
            cmd_extents, cmd_type, cmd_size, cmd_limit, cmd_base, cmd_entry, cmd_op, cmd_valid, st_size, st_data, st_addr,
            st_valid} = in;
    assign out = {busy, ev_saturated, ev_unmatched, ev_miss, ev_tracked, req_data, req_line, req_tag, req_write, req_valid, cmd_ready,
                  st_ready};
    tafe_top #(.ENTRIES(ENTRIES), .ADDR_W(ADDR_W), .INDEX_W(INDEX_W), .TB_W(TB_W), .BLOCK_W(BLOCK_W)) dut (
        .clk_i(clk), .rst_i(rst),
        .st_valid_i(st_valid), .st_ready_o(st_ready), .st_addr_i(st_addr), .st_data_i(st_data), .st_size_i(st_size),
        .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_op_i(cmd_op), .cmd_entry_i(cmd_entry), .cmd_base_i(cmd_base),
        .cmd_limit_i(cmd_limit), .cmd_size_i(cmd_size), .cmd_type_i(cmd_type), .cmd_extents_i(cmd_extents),
        .cmd_source_i(cmd_source), .cmd_c_s_i(cmd_c_s), .cmd_c_e_i(cmd_c_e), .cmd_ctas_i(cmd_ctas), .cmd_grid_x_i(cmd_grid_x),
        .cmd_grid_y_i(cmd_grid_y), .cmd_block_i(cmd_block),
        .req_valid_o(req_valid), .req_ready_i(req_ready), .req_write_o(req_write), .req_tag_o(req_tag), .req_line_o(req_line),
        .req_data_o(req_data), .rsp_valid_i(rsp_valid), .rsp_tag_i(rsp_tag), .rsp_data_i(rsp_data),
        .ev_tracked_o(ev_tracked), .ev_miss_o(ev_miss), .ev_unmatched_o(ev_unmatched), .ev_saturated_o(ev_saturated), .busy_o(busy)
    );
endmodule
`default_nettype wire
