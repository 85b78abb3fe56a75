// Flips each entry of the default H-matrix in turn and looks at it with the one-hot addresses. The map is linear, so
// these say all there is to say: a fault must show at exactly one of them, that of its address bit, in exactly its set
// bit. For Icarus (tests/606).
`default_nettype none
module pric_index_fault_tb;
    reg         on;
    reg  [3:0]  row;
    reg  [5:0]  column;
    reg  [31:0] addr;
    wire [4:0]  good, bad;
    wire [19:0] tag_good, tag_bad;
    pric_index       dut_good (.addr_i(addr), .set_o(good), .tag_o(tag_good));
    pric_index_fault dut_bad (.fault_on_i(on), .fault_row_i(row), .fault_bit_i(column), .addr_i(addr), .set_o(bad),
                              .tag_o(tag_bad));

    integer r, c, a, deletions, insertions, caught, elsewhere;
    initial begin
        deletions = 0; insertions = 0; caught = 0; elsewhere = 0;
        for (r = 0; r < 5; r = r + 1)
            for (c = 7; c < 32; c = c + 1) begin
                on = 1'b1; row = r[3:0]; column = c[5:0];
                for (a = 0; a < 32; a = a + 1) begin
                    addr = 32'd1 << a;
                    #1;
                    if (a == c && good[r]) deletions = deletions + 1;
                    if (a == c && !good[r]) insertions = insertions + 1;
                    if (a == c && bad === (good ^ (5'd1 << r))) caught = caught + 1;
                    if (a != c && bad !== good) elsewhere = elsewhere + 1;
                    if (tag_bad !== tag_good) elsewhere = elsewhere + 1;
                end
            end
        on = 1'b0;
        for (a = 0; a < 32; a = a + 1) begin
            addr = 32'd1 << a;
            #1;
            if (bad !== good) elsewhere = elsewhere + 1;
        end
        $display("%0d deletions, %0d insertions, %0d caught, %0d elsewhere", deletions, insertions, caught, elsewhere);
        $finish;
    end
endmodule
`default_nettype wire
