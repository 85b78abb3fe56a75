// Runs cycles of the golden twin through paver_top: +vectors=FILE, a line a cycle: all inputs and then all outputs
// before the edge, each a number in hex in which the ports are in the order of csim/hw/twins/paver.h, the first one
// lowest. For Icarus (tests/643).
`default_nettype none
module paver_top_tb #(
    parameter SMS   = 15,
    parameter PTR_W = 16,
    parameter TB_W  = 16
);
    localparam SM_W  = SMS > 2 ? $clog2(SMS) : 1;
    localparam IN_W  = 1 + PTR_W + 1 + SMS + 1 + 1 + SM_W + 2*PTR_W;
    localparam OUT_W = 1 + SMS + SMS*TB_W + 1 + 1 + PTR_W + SM_W + 1 + SM_W + SM_W + PTR_W + 1;

`include "clocked_tb.vh"
    wire                cfg_valid, cfg_steal, req_ready, rsp_valid;
    wire [PTR_W-1:0]    cfg_groups;
    wire [SMS-1:0]      tb_ready;
    wire [SM_W-1:0]     rsp_tag;
    wire [2*PTR_W-1:0]  rsp_data;
    wire                cfg_ready, req_valid, req_group, ev_steal, busy;
    wire [SMS-1:0]      tb_valid;
    wire [SMS*TB_W-1:0] tb_id;
    wire [PTR_W-1:0]    req_index, ev_count;
    wire [SM_W-1:0]     req_tag, ev_donor, ev_recipient;
    assign {rsp_data, rsp_tag, rsp_valid, req_ready, tb_ready, cfg_steal, cfg_groups, cfg_valid} = in;
    assign out = {busy, ev_count, ev_recipient, ev_donor, ev_steal, req_tag, req_index, req_group, req_valid, tb_id,
                               tb_valid, cfg_ready};
    paver_top #(.SMS(SMS), .PTR_W(PTR_W), .TB_W(TB_W)) dut (
        .clk_i(clk), .rst_i(rst), .cfg_valid_i(cfg_valid), .cfg_ready_o(cfg_ready), .cfg_groups_i(cfg_groups),
        .cfg_steal_i(cfg_steal), .tb_valid_o(tb_valid), .tb_ready_i(tb_ready), .tb_id_o(tb_id), .req_valid_o(req_valid),
        .req_ready_i(req_ready), .req_group_o(req_group), .req_index_o(req_index), .req_tag_o(req_tag), .rsp_valid_i(rsp_valid),
        .rsp_tag_i(rsp_tag), .rsp_data_i(rsp_data), .ev_steal_o(ev_steal), .ev_donor_o(ev_donor), .ev_recipient_o(ev_recipient),
        .ev_count_o(ev_count), .busy_o(busy)
    );
endmodule
`default_nettype wire
