// paver_pick: the first of those who want, from one of them on and round about.
//
// Latency     none: combinational from want_i and turn_i.
// Throughput  a choice a cycle.
// Handshake   none.
// Source      paver, section 5.3 (round robin)
`default_nettype none
module paver_pick #(
    parameter N = 15,                    // who may want, 1 to 256
    parameter W = N > 2 ? $clog2(N) : 1  // bits of their number
) (
    input  wire [N-1:0] want_i,
    input  wire [W-1:0] turn_i,          // who is first, below N
    output wire         any_o,
    output wire [N-1:0] pick_o,          // the one: a bit, or none,
    output wire [W-1:0] index_o,         // its number, 0 if none,
    output wire [W-1:0] after_o          // and who is first after it
);
    localparam LAST = N - 1;

    wire [N-1:0] from = want_i & ({N{1'b1}} << turn_i);
    wire [N-1:0] high = from & (~from + {{N-1{1'b0}}, 1'b1});       // the lowest bit alone
    wire [N-1:0] low  = want_i & (~want_i + {{N-1{1'b0}}, 1'b1});
    reg  [W-1:0] index;
    integer      i;

    always @* begin
        index = {W{1'b0}};
        for (i = 0; i < N; i = i + 1)
            if (pick_o[i]) index = index | i[W-1:0];
    end

    assign any_o   = |want_i;
    assign pick_o  = |from ? high : low;
    assign index_o = index;
    assign after_o = index == LAST[W-1:0] ? {W{1'b0}} : index + {{W-1{1'b0}}, 1'b1};
endmodule
`default_nettype wire
