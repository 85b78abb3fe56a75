// Runs cycles of the golden twin through set_monitor: +vectors=FILE, a line a cycle in hex, inputs and then the outputs before the
// edge: acc_valid acc_set acc_tag req_valid req_set rsp_ready  acc_ready req_ready rsp_valid rsp_count busy. For Icarus (tests/605).
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

    reg [8*256-1:0] path;
    reg [63:0]      i_av, i_as, i_at, i_rv, i_rs, i_rr, o_ar, o_rr, o_rv, o_rc, o_b;
    integer         file, got, cycles, mismatches;
    initial begin
        cycles = 0; mismatches = 0;
        clk = 0; rst = 1; acc_valid = 0; req_valid = 0; rsp_ready = 0; acc_set = 0; req_set = 0; acc_tag = 0;
        #1 clk = 1; #1 clk = 0; rst = 0;
        if ($value$plusargs("vectors=%s", path) == 0) $finish;
        file = $fopen(path, "r");
        got  = 11;
        while (got == 11) begin
            got = $fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h\n", i_av, i_as, i_at, i_rv, i_rs, i_rr, o_ar, o_rr, o_rv,
                          o_rc, o_b);
            if (got == 11) begin
                acc_valid = i_av[0]; acc_set = i_as[SET_W-1:0]; acc_tag = i_at[TAG_W-1:0];
                req_valid = i_rv[0]; req_set = i_rs[SET_W-1:0]; rsp_ready = i_rr[0];
                #1;
                if (acc_ready !== o_ar[0] || req_ready !== o_rr[0] || rsp_valid !== o_rv[0] || busy !== o_b[0] ||
                    rsp_count !== o_rc[COUNT_W-1:0])
                    mismatches = mismatches + 1;
                cycles = cycles + 1;
                #1 clk = 1; #1 clk = 0;
            end
        end
        $display("%0d cycles, %0d mismatches", cycles, mismatches);
        $finish;
    end
endmodule
`default_nettype wire
