// Runs cycles of the golden twin through set_monitor: +vectors=FILE, a line a cycle in hex, inputs and then the outputs
// before the edge: acc_valid acc_set acc_tag req_valid req_set rsp_ready  acc_ready req_ready rsp_valid rsp_count busy.
// For Icarus (tests/605).
`default_nettype none
module set_monitor_tb #(
    parameter SETS    = 32,
    parameter TAG_W   = 20,
    parameter COUNT_W = 16
);
    localparam SET_W = $clog2(SETS);

    reg                clk, rst, acc_valid, req_valid, rsp_ready;
    reg  [SET_W-1:0]   acc_set, req_set;
    reg  [TAG_W-1:0]   acc_tag;
    wire               acc_ready, req_ready, rsp_valid, busy;
    wire [COUNT_W-1:0] rsp_count;
    set_monitor #(SETS, TAG_W, COUNT_W) dut (
        .clk_i(clk), .rst_i(rst),
        .acc_valid_i(acc_valid), .acc_ready_o(acc_ready), .acc_set_i(acc_set), .acc_tag_i(acc_tag),
        .req_valid_i(req_valid), .req_ready_o(req_ready), .req_set_i(req_set),
        .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_count_o(rsp_count), .busy_o(busy)
    );

    reg [8*256-1:0]   path;
    reg               want_acc_ready, want_req_ready, want_rsp_valid, want_busy;
    reg [COUNT_W-1:0] want_count;
    integer           file, cycles, mismatches;
    initial begin
        cycles = 0; mismatches = 0;
        clk = 0; rst = 1; acc_valid = 0; req_valid = 0; rsp_ready = 0; acc_set = 0; req_set = 0; acc_tag = 0;
        #1 clk = 1; #1 clk = 0; rst = 0;
        if ($value$plusargs("vectors=%s", path) == 0) $finish;
        file = $fopen(path, "r");
        while ($fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h", acc_valid, acc_set, acc_tag, req_valid, req_set, rsp_ready,
                       want_acc_ready, want_req_ready, want_rsp_valid, want_count, want_busy) == 11) begin
            #1;
            if (acc_ready !== want_acc_ready || req_ready !== want_req_ready || rsp_valid !== want_rsp_valid ||
                busy !== want_busy || rsp_count !== want_count)
                mismatches = mismatches + 1;
            cycles = cycles + 1;
            #1 clk = 1; #1 clk = 0;
        end
        $display("%0d cycles, %0d mismatches", cycles, mismatches);
        $finish;
    end
endmodule
`default_nettype wire
