// addr_decoder_pipe: addr_decoder behind registers, with ready/valid on every port.
//
// Each port is on its own: a request that cannot go on to the response register, because a response waits there, is
// kept in the port's spare register; ready_o falls until it has gone. Nothing is lost and nothing overtakes.
//
// Latency     a response is there one edge after its request is taken, if none waits before it.
// Throughput  an address a cycle and port.
// Handshake   ready/valid on both sides; ready_o and valid_o depend on registers alone; a response holds until it is
//             taken. busy_o is high while a response or a kept request waits: with it low and no valid request, no
//             register changes.
// Source      the decoder's, see addr_decoder.v
// Golden twin csim/hw/twins/addr_decoder_pipe.h
`default_nettype none
module addr_decoder_pipe #(
    parameter ADDR_W       = 64,         // all as in addr_decoder
    parameter PORTS        = 1,
    parameter STACKS       = 4,
    parameter PAGE_BITS    = 12,
    parameter FGP_LSB      = 10,
    parameter CHANNELS     = 8,
    parameter INTERLEAVE   = 256,
    parameter BANKS        = 16,
    parameter BURST_W      = 6,
    parameter MAP_W        = 16,
    parameter BANK_MASK    = 'he100,
    parameter HASH_CHANNEL = 0,
    parameter HASH_BANK    = 0
) (
    input  wire                                                                           clk_i,
    input  wire                                                                           rst_i,  // synchronous
    input  wire [PORTS-1:0]                                                               req_valid_i,
    output wire [PORTS-1:0]                                                               req_ready_o,
    input  wire [PORTS*ADDR_W-1:0]                                                        req_addr_i,
    input  wire [PORTS*4-1:0]                                                             req_mode_i,
    output wire [PORTS-1:0]                                                               rsp_valid_o,
    input  wire [PORTS-1:0]                                                               rsp_ready_i,
    output wire [PORTS*(STACKS > 1 ? $clog2(STACKS) : 1)-1:0]                             rsp_stack_o,
    output wire [PORTS*(ADDR_W-$clog2(STACKS))-1:0]                                       rsp_stack_local_o,
    output wire [PORTS*(CHANNELS > 1 ? $clog2(CHANNELS) : 1)-1:0]                         rsp_channel_o,
    output wire [PORTS*(ADDR_W-$clog2(STACKS)-$clog2(CHANNELS)+((1 << $clog2(CHANNELS)) != CHANNELS ? 1 : 0))-1:0] rsp_channel_local_o,
    output wire [PORTS*(BANKS > 1 ? $clog2(BANKS) : 1)-1:0]                               rsp_bank_o,
    output wire [PORTS*(ADDR_W-$clog2(STACKS)-$clog2(CHANNELS)+((1 << $clog2(CHANNELS)) != CHANNELS ? 1 : 0)-MAP_W)-1:0] rsp_row_o,
    output wire [PORTS*(MAP_W-BURST_W > $clog2(BANKS) ? MAP_W-BURST_W-$clog2(BANKS) : 1)-1:0] rsp_column_o,
    output wire                                                                           busy_o
);
    localparam STACK_W = STACKS > 1 ? $clog2(STACKS) : 1;
    localparam LOCAL_W = ADDR_W - $clog2(STACKS);
    localparam CH_W    = CHANNELS > 1 ? $clog2(CHANNELS) : 1;
    localparam CHL_W   = LOCAL_W - $clog2(CHANNELS) + ((1 << $clog2(CHANNELS)) != CHANNELS ? 1 : 0);
    localparam BANK_W  = BANKS > 1 ? $clog2(BANKS) : 1;
    localparam ROW_W   = CHL_W - MAP_W;
    localparam COL_W   = MAP_W - BURST_W > $clog2(BANKS) ? MAP_W - BURST_W - $clog2(BANKS) : 1;

    reg [PORTS-1:0]         skid_valid_q;            // the kept request
    reg [PORTS*ADDR_W-1:0]  skid_addr_q;
    reg [PORTS*4-1:0]       skid_mode_q;
    reg [PORTS-1:0]         rsp_valid_q;             // the response
    reg [PORTS*STACK_W-1:0] rsp_stack_q;
    reg [PORTS*LOCAL_W-1:0] rsp_stack_local_q;
    reg [PORTS*CH_W-1:0]    rsp_channel_q;
    reg [PORTS*CHL_W-1:0]   rsp_channel_local_q;
    reg [PORTS*BANK_W-1:0]  rsp_bank_q;
    reg [PORTS*ROW_W-1:0]   rsp_row_q;
    reg [PORTS*COL_W-1:0]   rsp_column_q;

    // ---- who goes on: the kept request first; while there is one, no other is taken ----

    wire [PORTS-1:0]        free  = ~rsp_valid_q | rsp_ready_i;
    wire [PORTS-1:0]        go    = free & (skid_valid_q | req_valid_i);
    wire [PORTS-1:0]        keep  = ~free & req_valid_i & ~skid_valid_q;
    reg  [PORTS*ADDR_W-1:0] addr;
    reg  [PORTS*4-1:0]      mode;
    integer                 i;

    always @*
        for (i = 0; i < PORTS; i = i + 1) begin
            addr[i*ADDR_W +: ADDR_W] = skid_valid_q[i] ? skid_addr_q[i*ADDR_W +: ADDR_W] : req_addr_i[i*ADDR_W +: ADDR_W];
            mode[i*4 +: 4]           = skid_valid_q[i] ? skid_mode_q[i*4 +: 4] : req_mode_i[i*4 +: 4];
        end

    wire [PORTS*STACK_W-1:0] stack;
    wire [PORTS*LOCAL_W-1:0] stack_local;
    wire [PORTS*CH_W-1:0]    channel;
    wire [PORTS*CHL_W-1:0]   channel_local;
    wire [PORTS*BANK_W-1:0]  bank;
    wire [PORTS*ROW_W-1:0]   row;
    wire [PORTS*COL_W-1:0]   column;
    addr_decoder #(
        .ADDR_W(ADDR_W), .PORTS(PORTS), .STACKS(STACKS), .PAGE_BITS(PAGE_BITS), .FGP_LSB(FGP_LSB), .CHANNELS(CHANNELS),
        .INTERLEAVE(INTERLEAVE), .BANKS(BANKS), .BURST_W(BURST_W), .MAP_W(MAP_W), .BANK_MASK(BANK_MASK),
        .HASH_CHANNEL(HASH_CHANNEL), .HASH_BANK(HASH_BANK)
    ) u_decoder (
        .addr_i(addr), .mode_i(mode), .stack_o(stack), .stack_local_o(stack_local), .channel_o(channel),
        .channel_local_o(channel_local), .bank_o(bank), .row_o(row), .column_o(column)
    );

    assign req_ready_o         = ~skid_valid_q;
    assign rsp_valid_o         = rsp_valid_q;
    assign rsp_stack_o         = rsp_stack_q;
    assign rsp_stack_local_o   = rsp_stack_local_q;
    assign rsp_channel_o       = rsp_channel_q;
    assign rsp_channel_local_o = rsp_channel_local_q;
    assign rsp_bank_o          = rsp_bank_q;
    assign rsp_row_o           = rsp_row_q;
    assign rsp_column_o        = rsp_column_q;
    assign busy_o              = |{skid_valid_q, rsp_valid_q};

    always @(posedge clk_i)
        if (rst_i) begin
            skid_valid_q        <= {PORTS{1'b0}};
            skid_addr_q         <= {PORTS*ADDR_W{1'b0}};
            skid_mode_q         <= {PORTS*4{1'b0}};
            rsp_valid_q         <= {PORTS{1'b0}};
            rsp_stack_q         <= {PORTS*STACK_W{1'b0}};
            rsp_stack_local_q   <= {PORTS*LOCAL_W{1'b0}};
            rsp_channel_q       <= {PORTS*CH_W{1'b0}};
            rsp_channel_local_q <= {PORTS*CHL_W{1'b0}};
            rsp_bank_q          <= {PORTS*BANK_W{1'b0}};
            rsp_row_q           <= {PORTS*ROW_W{1'b0}};
            rsp_column_q        <= {PORTS*COL_W{1'b0}};
        end else begin
            skid_valid_q <= keep | (skid_valid_q & ~free);
            rsp_valid_q  <= go | (rsp_valid_q & ~rsp_ready_i);
            for (i = 0; i < PORTS; i = i + 1) begin
                if (keep[i]) begin
                    skid_addr_q[i*ADDR_W +: ADDR_W] <= req_addr_i[i*ADDR_W +: ADDR_W];
                    skid_mode_q[i*4 +: 4]           <= req_mode_i[i*4 +: 4];
                end
                if (go[i]) begin
                    rsp_stack_q[i*STACK_W +: STACK_W]         <= stack[i*STACK_W +: STACK_W];
                    rsp_stack_local_q[i*LOCAL_W +: LOCAL_W]   <= stack_local[i*LOCAL_W +: LOCAL_W];
                    rsp_channel_q[i*CH_W +: CH_W]             <= channel[i*CH_W +: CH_W];
                    rsp_channel_local_q[i*CHL_W +: CHL_W]     <= channel_local[i*CHL_W +: CHL_W];
                    rsp_bank_q[i*BANK_W +: BANK_W]            <= bank[i*BANK_W +: BANK_W];
                    rsp_row_q[i*ROW_W +: ROW_W]               <= row[i*ROW_W +: ROW_W];
                    rsp_column_q[i*COL_W +: COL_W]            <= column[i*COL_W +: COL_W];
                end
            end
        end

`ifdef ASSERTIONS
    // Whatever comes in: simulation and lockstep check it, proofs prove it. *_was: of the cycle before.
    reg [PORTS-1:0]         rsp_waits_was = {PORTS{1'b0}};
    reg [PORTS*STACK_W-1:0] rsp_stack_was;
    reg [PORTS*LOCAL_W-1:0] rsp_stack_local_was;
    reg [PORTS*CH_W-1:0]    rsp_channel_was;
    reg [PORTS*CHL_W-1:0]   rsp_channel_local_was;
    reg [PORTS*BANK_W-1:0]  rsp_bank_was;
    reg [PORTS*ROW_W-1:0]   rsp_row_was;
    reg [PORTS*COL_W-1:0]   rsp_column_was;
    integer                 p;
    always @(posedge clk_i) begin
        rsp_waits_was     <= rsp_valid_o & ~rsp_ready_i & {PORTS{!rst_i}};
        rsp_stack_was         <= rsp_stack_o;
        rsp_stack_local_was   <= rsp_stack_local_o;
        rsp_channel_was       <= rsp_channel_o;
        rsp_channel_local_was <= rsp_channel_local_o;
        rsp_bank_was          <= rsp_bank_o;
        rsp_row_was           <= rsp_row_o;
        rsp_column_was        <= rsp_column_o;
        for (p = 0; p < PORTS; p = p + 1) begin
            if (rsp_waits_was[p]) begin : response_holds
                assert (rsp_valid_o[p] && rsp_stack_o[p*STACK_W +: STACK_W] == rsp_stack_was[p*STACK_W +: STACK_W] &&
                        rsp_stack_local_o[p*LOCAL_W +: LOCAL_W] == rsp_stack_local_was[p*LOCAL_W +: LOCAL_W] &&
                        rsp_channel_o[p*CH_W +: CH_W] == rsp_channel_was[p*CH_W +: CH_W] &&
                        rsp_channel_local_o[p*CHL_W +: CHL_W] == rsp_channel_local_was[p*CHL_W +: CHL_W] &&
                        rsp_bank_o[p*BANK_W +: BANK_W] == rsp_bank_was[p*BANK_W +: BANK_W] &&
                        rsp_row_o[p*ROW_W +: ROW_W] == rsp_row_was[p*ROW_W +: ROW_W] &&
                        rsp_column_o[p*COL_W +: COL_W] == rsp_column_was[p*COL_W +: COL_W]);
            end
            if (rsp_valid_o[p] && !rst_i) begin : channel_is_one_of_them
                assert ({1'b0, rsp_channel_o[p*CH_W +: CH_W]} < CHANNELS[CH_W:0]);
            end
            if (!req_ready_o[p] && !rst_i) begin : kept_behind_a_response assert (rsp_valid_o[p] && busy_o); end
        end
    end
`endif

`ifdef FORMAL
    // Proved from reset on, for every input; w is any port, and the others do what they like.
    // verilator lint_off UNDRIVEN
    (* anyconst *) wire [$clog2(PORTS+1)-1:0] w_free;  // the solver chooses
    // verilator lint_on UNDRIVEN
    wire [$clog2(PORTS+1)-1:0] w = w_free < PORTS ? w_free : 0;
    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;
    always @* if (!started_q) assume (rst_i);

    // The reference: a queue of what was taken at the port and is not yet answered, the older first.
    reg [1:0]        ref_n_q;
    reg [ADDR_W+3:0] ref_old_q, ref_new_q;
    wire             take = req_valid_i[w] && req_ready_o[w];
    wire             give = rsp_valid_o[w] && rsp_ready_i[w];
    wire [ADDR_W+3:0] came = {req_mode_i[w*4 +: 4], req_addr_i[w*ADDR_W +: ADDR_W]};
    always @(posedge clk_i)
        if (rst_i) begin
            ref_n_q   <= 2'd0;
            ref_old_q <= {ADDR_W+4{1'b0}};
            ref_new_q <= {ADDR_W+4{1'b0}};
        end else begin
            ref_n_q <= ref_n_q + {1'b0, take} - {1'b0, give};
            if (give ? ref_n_q == 2'd1 : ref_n_q == 2'd0) begin
                if (take) ref_old_q <= came;
            end else begin
                if (give) ref_old_q <= ref_new_q;
                if (take) ref_new_q <= came;
            end
        end

    wire [STACK_W-1:0] want_stack;
    wire [LOCAL_W-1:0] want_stack_local;
    wire [CH_W-1:0]    want_channel;
    wire [CHL_W-1:0]   want_channel_local;
    wire [BANK_W-1:0]  want_bank;
    wire [ROW_W-1:0]   want_row;
    wire [COL_W-1:0]   want_column;
    addr_decoder #(
        .ADDR_W(ADDR_W), .PORTS(1), .STACKS(STACKS), .PAGE_BITS(PAGE_BITS), .FGP_LSB(FGP_LSB), .CHANNELS(CHANNELS),
        .INTERLEAVE(INTERLEAVE), .BANKS(BANKS), .BURST_W(BURST_W), .MAP_W(MAP_W), .BANK_MASK(BANK_MASK),
        .HASH_CHANNEL(HASH_CHANNEL), .HASH_BANK(HASH_BANK)
    ) u_want (
        .addr_i(ref_old_q[ADDR_W-1:0]), .mode_i(ref_old_q[ADDR_W+3:ADDR_W]), .stack_o(want_stack),
        .stack_local_o(want_stack_local), .channel_o(want_channel), .channel_local_o(want_channel_local), .bank_o(want_bank),
        .row_o(want_row), .column_o(want_column)
    );

    always @*
        if (started_q) begin
            none_lost_none_made: assert (ref_n_q == {1'b0, rsp_valid_q[w]} + {1'b0, skid_valid_q[w]});
            if (rsp_valid_q[w]) begin
                stack_is_of_the_oldest: assert (rsp_stack_o[w*STACK_W +: STACK_W] == want_stack &&
                                                rsp_stack_local_o[w*LOCAL_W +: LOCAL_W] == want_stack_local);
                channel_is_of_the_oldest: assert (rsp_channel_o[w*CH_W +: CH_W] == want_channel &&
                                                  rsp_channel_local_o[w*CHL_W +: CHL_W] == want_channel_local);
                location_is_of_the_oldest: assert (rsp_bank_o[w*BANK_W +: BANK_W] == want_bank &&
                                                rsp_row_o[w*ROW_W +: ROW_W] == want_row &&
                                                rsp_column_o[w*COL_W +: COL_W] == want_column);
            end
            if (skid_valid_q[w])
                kept_is_the_newer: assert ({skid_mode_q[w*4 +: 4], skid_addr_q[w*ADDR_W +: ADDR_W]} == ref_new_q);
        end

    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            // A request a cycle goes through as long as responses are taken.
            if ($past(&(rsp_ready_i | ~rsp_valid_q)))
                no_bubble: assert (&req_ready_o);
            if ($past(req_valid_i[w] && req_ready_o[w] && !rsp_valid_q[w]))
                one_cycle: assert (rsp_valid_o[w]);
            // Nothing moves without a cause: the model may leave such cycles out.
            if ($past(!busy_o && req_valid_i == {PORTS{1'b0}})) begin
                quiet_flags: assert ($stable(skid_valid_q) && $stable(rsp_valid_q) && $stable(skid_addr_q) && $stable(skid_mode_q));
                quiet_place: assert ($stable(rsp_stack_q) && $stable(rsp_stack_local_q) && $stable(rsp_channel_q) &&
                                     $stable(rsp_channel_local_q) && $stable(rsp_bank_q) && $stable(rsp_row_q) &&
                                     $stable(rsp_column_q));
            end
        end

    // What the above talks about can happen.
    always @(posedge clk_i)
        if (started_q && !rst_i) begin
            full_port: cover (skid_valid_q[w] && rsp_valid_q[w] && ref_old_q != ref_new_q);
            drained_port: cover ($past(skid_valid_q[w] && rsp_ready_i[w]) && !skid_valid_q[w] && rsp_valid_q[w]);
            back_to_back: cover ($past(take && give) && take && give);
        end
`endif
endmodule
`default_nettype wire
