// set_monitor: counts index conflicts per set of a cache's access stream.
//
// A conflict is an access to a set whose previous access had another tag. One table, an entry a set, serves the pending
// access or the pending request in a cycle. The request goes first, as soon as no response waits.
//
// Latency     an access is in the table two edges after it is taken, one more per request that goes ahead of it;
//             a response is there two edges after its request is taken, if none waits.
// Throughput  an access a cycle, but for the cycles in which a request is served; a response every third cycle.
// Handshake   ready/valid on all three; ready and valid depend on registers alone; a response holds until it is taken.
//             busy_o is high while anything is on its way: with it low and no valid input, no register changes.
// Source      own example, after the n-way conflicts of dwt-pric, section 4.3
// Golden twin csim/hw/twins/set_monitor.h
`default_nettype none
module set_monitor #(
    parameter SETS    = 32,              // a power of two, 2..256
    parameter TAG_W   = 20,              // bits of a tag, 1..57
    parameter COUNT_W = 16               // bits of a counter, 2..32; it stays at its largest value
) (
    input  wire                    clk_i,
    input  wire                    rst_i,        // synchronous, active high
    input  wire                    acc_valid_i,
    output wire                    acc_ready_o,
    input  wire [$clog2(SETS)-1:0] acc_set_i,
    input  wire [TAG_W-1:0]        acc_tag_i,
    input  wire                    req_valid_i,
    output wire                    req_ready_o,
    input  wire [$clog2(SETS)-1:0] req_set_i,
    output wire                    rsp_valid_o,
    input  wire                    rsp_ready_i,
    output wire [COUNT_W-1:0]      rsp_count_o,  // registered
    output wire                    busy_o
);
    localparam SET_W = $clog2(SETS);

    generate
        if (SETS < 2 || SETS > 256 || SETS != (1 << SET_W)) begin : g_bad_sets
            ILLEGAL_SETS_must_be_a_power_of_two_2_to_256 u ();
        end
        if (TAG_W < 1 || TAG_W > 57) begin : g_bad_tag_w
            ILLEGAL_TAG_W_must_be_1_to_57 u ();
        end
        if (COUNT_W < 2 || COUNT_W > 32) begin : g_bad_count_w
            ILLEGAL_COUNT_W_must_be_2_to_32 u ();
        end
    endgenerate

    reg                    acc_valid_q;          // the pending access
    reg [SET_W-1:0]        acc_set_q;
    reg [TAG_W-1:0]        acc_tag_q;
    reg                    req_valid_q;          // the pending request
    reg [SET_W-1:0]        req_set_q;
    reg                    rsp_valid_q;          // the response
    reg [COUNT_W-1:0]      rsp_count_q;
    reg [SETS-1:0]         seen_q;               // the table: the set has had an access,
    reg [SETS*TAG_W-1:0]   tag_q;                // its last tag,
    reg [SETS*COUNT_W-1:0] count_q;              // its conflicts so far

    // ---- who has the table ----

    wire serve_request = req_valid_q && !rsp_valid_q;
    wire serve_access  = acc_valid_q && !serve_request;
    wire take_access   = acc_valid_i && acc_ready_o;
    wire take_request  = req_valid_i && req_ready_o;

    assign acc_ready_o = !(acc_valid_q && serve_request);
    assign req_ready_o = !req_valid_q;
    assign rsp_valid_o = rsp_valid_q;
    assign rsp_count_o = rsp_count_q;
    assign busy_o      = acc_valid_q || req_valid_q || rsp_valid_q;

    // ---- the entry it reads ----

    wire [SET_W-1:0]   entry       = serve_request ? req_set_q : acc_set_q;
    wire [COUNT_W-1:0] entry_count = count_q[entry*COUNT_W +: COUNT_W];
    wire               conflict    = seen_q[acc_set_q] && tag_q[acc_set_q*TAG_W +: TAG_W] != acc_tag_q;
    wire               count_up    = conflict && entry_count != {COUNT_W{1'b1}};

    always @(posedge clk_i)
        if (rst_i) begin
            acc_valid_q <= 1'b0;
            acc_set_q   <= {SET_W{1'b0}};
            acc_tag_q   <= {TAG_W{1'b0}};
            req_valid_q <= 1'b0;
            req_set_q   <= {SET_W{1'b0}};
            rsp_valid_q <= 1'b0;
            rsp_count_q <= {COUNT_W{1'b0}};
            seen_q      <= {SETS{1'b0}};
            tag_q       <= 'd0;
            count_q     <= 'd0;
        end else begin
            acc_valid_q <= take_access || (acc_valid_q && !serve_access);
            req_valid_q <= take_request || (req_valid_q && !serve_request);
            rsp_valid_q <= serve_request || (rsp_valid_q && !rsp_ready_i);
            if (take_access) begin
                acc_set_q <= acc_set_i;
                acc_tag_q <= acc_tag_i;
            end
            if (take_request)
                req_set_q <= req_set_i;
            if (serve_request)
                rsp_count_q <= entry_count;
            if (serve_access) begin
                seen_q[acc_set_q]              <= 1'b1;
                tag_q[acc_set_q*TAG_W +: TAG_W] <= acc_tag_q;
                if (count_up)
                    count_q[acc_set_q*COUNT_W +: COUNT_W] <= entry_count + 1'b1;
            end
        end

`ifdef ASSERTIONS
    // Whatever comes in: simulation and lockstep check it, proofs prove it. *_was: of the cycle before.
    reg               rsp_waits_was = 1'b0, acc_waits_was = 1'b0;
    reg [COUNT_W-1:0] rsp_count_was;
    always @(posedge clk_i) begin
        rsp_waits_was <= rsp_valid_o && !rsp_ready_i && !rst_i;
        acc_waits_was <= acc_valid_i && !acc_ready_o && !rst_i;
        rsp_count_was <= rsp_count_o;
        if (rsp_waits_was) begin : response_holds assert (rsp_valid_o && rsp_count_o == rsp_count_was); end
        if (acc_waits_was) begin : access_waits_once assert (acc_ready_o); end
        if (rsp_valid_o && !rst_i) begin : response_is_busy assert (busy_o); end
    end
`endif

`ifdef FORMAL
    // Proved from reset on, for every input; watched_set is any set.
    // verilator lint_off UNDRIVEN
    (* anyconst *) wire [SET_W-1:0] watched_set;  // the solver chooses
    // verilator lint_on UNDRIVEN
    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;
    always @* if (!started_q) assume (rst_i);

    // The reference: conflicts of the watched set in the order in which accesses are taken at the port.
    reg               ref_seen_q;
    reg [TAG_W-1:0]   ref_tag_q;
    reg [COUNT_W-1:0] ref_count_q;
    always @(posedge clk_i)
        if (rst_i) begin
            ref_seen_q  <= 1'b0;
            ref_tag_q   <= {TAG_W{1'b0}};
            ref_count_q <= {COUNT_W{1'b0}};
        end else if (acc_valid_i && acc_ready_o && acc_set_i == watched_set) begin
            ref_seen_q <= 1'b1;
            ref_tag_q  <= acc_tag_i;
            if (ref_seen_q && ref_tag_q != acc_tag_i && ref_count_q != {COUNT_W{1'b1}})
                ref_count_q <= ref_count_q + 1'b1;
        end

    // The table is the reference but for the one access that may be pending.
    wire               pending     = acc_valid_q && acc_set_q == watched_set;
    wire               table_seen  = seen_q[watched_set];
    wire [TAG_W-1:0]   table_tag   = tag_q[watched_set*TAG_W +: TAG_W];
    wire [COUNT_W-1:0] table_count = count_q[watched_set*COUNT_W +: COUNT_W];
    wire               will_count  = table_seen && table_tag != acc_tag_q && table_count != {COUNT_W{1'b1}};
    always @*
        if (started_q) begin
            if (!pending) begin
                seen_is_reference: assert (table_seen == ref_seen_q);
                tag_is_reference: assert (table_tag == ref_tag_q);
                count_is_reference: assert (table_count == ref_count_q);
            end else begin
                pending_is_last: assert (ref_seen_q && ref_tag_q == acc_tag_q);
                pending_completes_count: assert (ref_count_q == table_count + {{COUNT_W-1{1'b0}}, will_count});
            end
        end

    // Requests taken less responses taken: what is on its way, never more than the two that fit.
    reg [1:0] owed_q;
    always @(posedge clk_i)
        if (rst_i) owed_q <= 2'd0;
        else owed_q <= owed_q + {1'b0, req_valid_i && req_ready_o} - {1'b0, rsp_valid_o && rsp_ready_i};
    always @*
        if (started_q)
            one_response_a_request: assert (owed_q == {1'b0, req_valid_q} + {1'b0, rsp_valid_q});

    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            // It reports the conflicts of its set.
            if ($past(req_valid_q && !rsp_valid_q && req_set_q == watched_set))
                response_is_count: assert (rsp_valid_o && rsp_count_o == $past(table_count));
            // A request waits for as long as the response before it.
            if ($past(req_valid_q && !rsp_valid_q))
                request_is_served: assert (!req_valid_q && rsp_valid_q);
            // Nothing moves without a cause: the model may leave such cycles out.
            if ($past(!busy_o && !acc_valid_i && !req_valid_i)) begin
                quiet_flags: assert ($stable(acc_valid_q) && $stable(req_valid_q) && $stable(rsp_valid_q));
                quiet_pipe: assert ($stable(acc_set_q) && $stable(acc_tag_q) && $stable(req_set_q) && $stable(rsp_count_q));
                quiet_table: assert ($stable(seen_q) && $stable(tag_q) && $stable(count_q));
            end
        end

    // What the above talks about can happen.
    always @(posedge clk_i)
        if (started_q && !rst_i) begin
            held_response: cover (rsp_valid_o && $past(rsp_valid_o && !rsp_ready_i) && rsp_count_o != {COUNT_W{1'b0}});
            waiting_access: cover (acc_valid_i && !acc_ready_o);
            full_counter: cover (table_count == {COUNT_W{1'b1}} && pending && table_tag != acc_tag_q);
        end
`endif
endmodule
`default_nettype wire
