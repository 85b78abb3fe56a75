// prefetch_unit: decides what an L1 fetches ahead of its loads, by data structure.
//
// A load that has missed on a data structure triggers one prefetch, of the next line or of the line a distance on: from
// a table by the number of the structure's tiles that have a resident CTA, or, while there is none, as the access says.
// What is behind the structure's end, or in the line that has missed, is not prefetched. The line waits in a queue
// until no access has the cache's port or waits; then it is issued, or dropped: its page is not known, it is there or
// on its way, or too few resources would be left to loads.
//
// Latency     what an access triggers waits from the next cycle on, and is decided in the first cycle without accesses
//             in which it is in front. CTA events and writes count from the next cycle on.
// Throughput  an access or a decision, a CTA event and a write a cycle.
// Handshake   none makes an access wait: one that finds the queue full triggers nothing. CTA events and writes are
//             always taken. look_valid_o, look_line_o and busy_o depend on registers alone; acc_*_o on the access,
//             issue_o, drop_o and why_o on access and look_*_i. busy_o is high while a line waits: with it low and no
//             valid input, no register changes.
// Source      ldesc, section 4.5 (what is fetched; queue, thresholds and slots of tiles are our design)
// Golden twin csim/hw/twins/prefetch_unit.h
`default_nettype none
module prefetch_unit #(
    parameter ENTRIES     = 16,          // structures, 2..32
    parameter TILES       = 8,           // active tiles of a structure: CTAs that an SM holds, 1..64
    parameter TILE_W      = 32,          // bits of a tile's number, 1..32
    parameter ADDR_W      = 48,          // bits of an address, 8..64
    parameter DIST_W      = 32,          // bits of a distance, 1..32, at most ADDR_W
    parameter LINE        = 128,         // bytes, a power of two, 2..128
    parameter DEPTH       = 8,           // lines that can wait, 1..16
    parameter SPARE_MSHRS = 8,           // MSHR entries left to loads, 0..1023
    parameter SPARE_QUEUE = 2            // entries of the miss queue left to loads, 0..1023
) (
    input  wire                                     clk_i,
    input  wire                                     rst_i,           // synchronous, active high
    input  wire                                     acc_valid_i,     // an access has the cache's port,
    input  wire                                     acc_missed_i,    // a load that brings its line in
    input  wire [1:0]                               acc_prefetch_i,  // 1 next line, 2 stride, else none
    input  wire [$clog2(ENTRIES)-1:0]               acc_entry_i,
    input  wire [ADDR_W-1:0]                        acc_addr_i,
    input  wire [ADDR_W-1:0]                        acc_bound_i,     // the first address behind the structure
    input  wire [DIST_W-1:0]                        acc_distance_i,  // bytes, while no tile is active
    input  wire                                     acc_wait_i,      // an access waits for a resource
    output wire                                     acc_kept_o,      // the access triggers a prefetch,
    output wire                                     acc_lost_o,      // or would if the queue were not full
    output wire                                     look_valid_o,    // a line waits:
    output wire [ADDR_W-$clog2(LINE)-1:0]           look_line_o,     // its number
    input  wire                                     look_known_i,    // its page is known,
    input  wire                                     look_there_i,    // it is in the cache or on its way,
    input  wire                                     look_way_i,      // a way of its set can be taken,
    input  wire                                     look_dirty_i,    // whose line needs a packet of its own
    input  wire [10:0]                              free_mshrs_i,
    input  wire [10:0]                              free_queue_i,
    output wire                                     issue_o,         // the line is fetched,
    output wire                                     drop_o,          // or given up:
    output wire [1:0]                               why_o,           // 0 page not known, 1 there, 2 too little is free
    input  wire                                     cta_valid_i,     // a CTA begins or ends in a tile
    input  wire                                     cta_end_i,
    input  wire [$clog2(ENTRIES)-1:0]               cta_entry_i,
    input  wire [TILE_W-1:0]                        cta_tile_i,
    input  wire                                     wr_valid_i,      // a distance is written,
    input  wire [$clog2(ENTRIES)-1:0]               wr_entry_i,
    input  wire [(TILES > 2 ? $clog2(TILES) : 1)-1:0] wr_slot_i,    // for one active tile more than this
    input  wire [DIST_W-1:0]                        wr_distance_i,   // bytes
    output wire                                     busy_o
);
    localparam ENTRY_W = $clog2(ENTRIES);
    localparam COUNT_W = $clog2(TILES + 1);
    localparam LINE_B  = $clog2(LINE);
    localparam LINE_W  = ADDR_W - LINE_B;
    localparam WAIT_W  = $clog2(DEPTH + 1);
    localparam MOVED   = DEPTH > 1 ? DEPTH - 1 : 0;
    localparam [31:0]        ONE = 1, HELD = TILES, QUEUED = DEPTH, MSHRS = SPARE_MSHRS, SLOTS = SPARE_QUEUE + 1;
    localparam [COUNT_W-1:0] ONE_CTA = ONE[COUNT_W-1:0], ALL_CTAS = HELD[COUNT_W-1:0];
    localparam [WAIT_W-1:0]  ONE_LINE = ONE[WAIT_W-1:0], ALL_LINES = QUEUED[WAIT_W-1:0];
    localparam [LINE_W:0]    NEXT_LINE = 1;

    generate
        if (ENTRIES < 2 || ENTRIES > 32) begin : g_bad_entries
            ILLEGAL_ENTRIES_must_be_2_to_32 u ();
        end
        if (TILES < 1 || TILES > 64) begin : g_bad_tiles
            ILLEGAL_TILES_must_be_1_to_64 u ();
        end
        if (TILE_W < 1 || TILE_W > 32) begin : g_bad_tile_w
            ILLEGAL_TILE_W_must_be_1_to_32 u ();
        end
        if (ADDR_W < 8 || ADDR_W > 64) begin : g_bad_addr_w
            ILLEGAL_ADDR_W_must_be_8_to_64 u ();
        end
        if (DIST_W < 1 || DIST_W > 32 || DIST_W > ADDR_W) begin : g_bad_dist_w
            ILLEGAL_DIST_W_must_be_1_to_32_and_at_most_ADDR_W u ();
        end
        if (LINE < 2 || LINE > 128 || (LINE & (LINE - 1)) != 0) begin : g_bad_line
            ILLEGAL_LINE_must_be_a_power_of_two_2_to_128 u ();
        end
        if (DEPTH < 1 || DEPTH > 16) begin : g_bad_depth
            ILLEGAL_DEPTH_must_be_1_to_16 u ();
        end
        if (SPARE_MSHRS < 0 || SPARE_MSHRS > 1023) begin : g_bad_spare_mshrs
            ILLEGAL_SPARE_MSHRS_must_be_0_to_1023 u ();
        end
        if (SPARE_QUEUE < 0 || SPARE_QUEUE > 1023) begin : g_bad_spare_queue
            ILLEGAL_SPARE_QUEUE_must_be_0_to_1023 u ();
        end
    endgenerate

    reg [ENTRIES*TILES*DIST_W-1:0]  distance_q;   // by entry and slot: for slot + 1 active tiles;
    reg [ENTRIES*TILES*TILE_W-1:0]  tile_q;       // a tile
    reg [ENTRIES*TILES*COUNT_W-1:0] residents_q;  // and its CTAs; 0: the slot is free
    reg [ENTRIES*COUNT_W-1:0]       active_q;     // slots that are not
    reg [WAIT_W-1:0]                waiting_q;    // lines in the queue,
    reg [DEPTH*LINE_W-1:0]          line_q;       // the oldest in slot 0

    // ---- what an access triggers ----

    reg [COUNT_W-1:0]      active;                // of its entry
    reg [TILES*DIST_W-1:0] distances;
    reg [DIST_W-1:0]       distance;
    integer                a, d;
    always @* begin
        active = {COUNT_W{1'b0}};
        distances = {TILES*DIST_W{1'b0}};
        for (a = 0; a < ENTRIES; a = a + 1)
            if (acc_entry_i == a[ENTRY_W-1:0]) begin
                active = active_q[a*COUNT_W +: COUNT_W];
                distances = distance_q[a*TILES*DIST_W +: TILES*DIST_W];
            end
        distance = acc_distance_i;
        for (d = 0; d < TILES; d = d + 1)
            if (active == d[COUNT_W-1:0] + ONE_CTA)
                distance = distances[d*DIST_W +: DIST_W];
    end

    wire            next   = acc_prefetch_i == 2'd1;
    wire            stride = acc_prefetch_i == 2'd2;
    wire [ADDR_W:0] ahead  = {1'b0, acc_addr_i} + {{ADDR_W+1-DIST_W{1'b0}}, distance};
    wire [LINE_W:0] own    = {1'b0, acc_addr_i[ADDR_W-1:LINE_B]};
    wire [LINE_W:0] target = next ? own + NEXT_LINE : ahead[ADDR_W:LINE_B];
    wire            fits   = !target[LINE_W] && {target[LINE_W-1:0], {LINE_B{1'b0}}} < acc_bound_i && target != own;
    wire            wanted = acc_valid_i && acc_missed_i && (next || stride) && fits;
    wire            full   = waiting_q == ALL_LINES;
    wire            unused = &{1'b0, ahead[LINE_B-1:0]};

    assign acc_kept_o = wanted && !full;
    assign acc_lost_o = wanted && full;

    // ---- what becomes of the line in front ----

    wire        turn  = |waiting_q && !acc_valid_i && !acc_wait_i;
    wire [11:0] need  = SLOTS[11:0] + {11'd0, look_dirty_i};
    wire        spare = look_way_i && free_mshrs_i > MSHRS[10:0] && {1'b0, free_queue_i} >= need;

    assign look_valid_o = |waiting_q;
    assign look_line_o  = line_q[0 +: LINE_W];
    assign issue_o      = turn && look_known_i && !look_there_i && spare;
    assign drop_o       = turn && !issue_o;
    assign why_o        = !drop_o || !look_known_i ? 2'd0 : look_there_i ? 2'd1 : 2'd2;
    assign busy_o       = |waiting_q;

    integer q;
    always @(posedge clk_i)
        if (rst_i) begin
            waiting_q <= {WAIT_W{1'b0}};
            line_q    <= {DEPTH*LINE_W{1'b0}};
        end else if (acc_kept_o) begin
            waiting_q <= waiting_q + ONE_LINE;
            for (q = 0; q < DEPTH; q = q + 1)
                if (waiting_q == q[WAIT_W-1:0])
                    line_q[q*LINE_W +: LINE_W] <= target[LINE_W-1:0];
        end else if (turn) begin
            waiting_q <= waiting_q - ONE_LINE;
            for (q = 0; q < MOVED; q = q + 1)
                line_q[q*LINE_W +: LINE_W] <= line_q[(q+1)*LINE_W +: LINE_W];
        end

    // ---- tiles with resident CTAs ----

    reg [TILES*TILE_W-1:0]  tiles;                // of the event's entry, as they are,
    reg [TILES*COUNT_W-1:0] counts;
    reg [COUNT_W-1:0]       count;
    reg [TILES*TILE_W-1:0]  tiles_d;              // and as the event leaves them
    reg [TILES*COUNT_W-1:0] counts_d;
    reg [TILES-1:0]         hit;                  // the tile's slot
    reg                     opens, closes;        // the tile gets its first CTA, loses its last
    integer                 e, k;
    always @* begin
        tiles = {TILES*TILE_W{1'b0}};
        counts = {TILES*COUNT_W{1'b0}};
        count = {COUNT_W{1'b0}};
        for (e = 0; e < ENTRIES; e = e + 1)
            if (cta_entry_i == e[ENTRY_W-1:0]) begin
                tiles = tile_q[e*TILES*TILE_W +: TILES*TILE_W];
                counts = residents_q[e*TILES*COUNT_W +: TILES*COUNT_W];
                count = active_q[e*COUNT_W +: COUNT_W];
            end
        for (k = 0; k < TILES; k = k + 1)
            hit[k] = |counts[k*COUNT_W +: COUNT_W] && tiles[k*TILE_W +: TILE_W] == cta_tile_i;
        tiles_d = tiles;
        counts_d = counts;
        opens = 1'b0;
        closes = 1'b0;
        for (k = 0; k < TILES; k = k + 1)
            if (cta_end_i) begin
                if (hit[k]) begin
                    counts_d[k*COUNT_W +: COUNT_W] = counts[k*COUNT_W +: COUNT_W] - ONE_CTA;
                    closes = counts[k*COUNT_W +: COUNT_W] == ONE_CTA;
                end
            end else if (hit[k]) begin
                if (counts[k*COUNT_W +: COUNT_W] < ALL_CTAS)
                    counts_d[k*COUNT_W +: COUNT_W] = counts[k*COUNT_W +: COUNT_W] + ONE_CTA;
            end else if (!(|hit) && !opens && !(|counts[k*COUNT_W +: COUNT_W])) begin
                tiles_d[k*TILE_W +: TILE_W] = cta_tile_i;
                counts_d[k*COUNT_W +: COUNT_W] = ONE_CTA;
                opens = 1'b1;
            end
    end

    genvar t;
    generate
        for (t = 0; t < ENTRIES; t = t + 1) begin : g_tiles
            always @(posedge clk_i)
                if (rst_i) begin
                    tile_q[t*TILES*TILE_W +: TILES*TILE_W]        <= {TILES*TILE_W{1'b0}};
                    residents_q[t*TILES*COUNT_W +: TILES*COUNT_W] <= {TILES*COUNT_W{1'b0}};
                    active_q[t*COUNT_W +: COUNT_W]                <= {COUNT_W{1'b0}};
                end else if (cta_valid_i && cta_entry_i == t) begin
                    tile_q[t*TILES*TILE_W +: TILES*TILE_W]        <= tiles_d;
                    residents_q[t*TILES*COUNT_W +: TILES*COUNT_W] <= counts_d;
                    active_q[t*COUNT_W +: COUNT_W]                <=
                        opens ? count + ONE_CTA : closes ? count - ONE_CTA : count;
                end
        end
    endgenerate

    // ---- the table of distances ----

    genvar w, p;
    generate
        for (w = 0; w < ENTRIES; w = w + 1) begin : g_distances
            for (p = 0; p < TILES; p = p + 1) begin : g_slot
                always @(posedge clk_i)
                    if (rst_i)
                        distance_q[(w*TILES+p)*DIST_W +: DIST_W] <= {DIST_W{1'b0}};
                    else if (wr_valid_i && wr_entry_i == w && wr_slot_i == p)
                        distance_q[(w*TILES+p)*DIST_W +: DIST_W] <= wr_distance_i;
            end
        end
    endgenerate

`ifdef ASSERTIONS
    // Whatever comes in: simulation and lockstep check it, proofs prove it. *_was: of the cycle before.
    reg              line_waits_was = 1'b0;
    reg [LINE_W-1:0] look_line_was;
    always @(posedge clk_i) begin
        line_waits_was <= look_valid_o && !issue_o && !drop_o && !rst_i;
        look_line_was  <= look_line_o;
        if (line_waits_was) begin : line_holds assert (look_valid_o && look_line_o == look_line_was); end
        if (!rst_i) begin
            begin : queue_is_not_overrun assert ({1'b0, waiting_q} <= {1'b0, ALL_LINES}); end
            begin : one_end assert (!(issue_o && drop_o)); end
            begin : end_of_a_line_that_waits assert (!(issue_o || drop_o) || look_valid_o); end
            begin : never_with_an_access assert (!(issue_o || drop_o) || (!acc_valid_i && !acc_wait_i)); end
            begin : never_what_is_there assert (!issue_o || (look_known_i && !look_there_i && look_way_i)); end
            begin : kept_or_lost assert (!(acc_kept_o && acc_lost_o)); end
            begin : trigger_is_a_miss
                assert (!(acc_kept_o || acc_lost_o) ||
                        (acc_valid_i && acc_missed_i && (acc_prefetch_i == 2'd1 || acc_prefetch_i == 2'd2)));
            end
        end
    end
`endif

`ifdef FORMAL
    // Proved from reset on, for every input, if CTA events are of CTAs: one ends that has begun, and no more are there
    // than the SM holds. any_entry and any_slot are any distance; tracked_q follows any one
    // prefetch, with any base of its structure.
    localparam SLOT_W = TILES > 2 ? $clog2(TILES) : 1;
    localparam [SLOT_W:0] NEXT_SLOT = 1;
    localparam KINDS = TILE_W < 3 ? 1 << TILE_W : 4;  // tiles that there are: the proofs' shapes have few
    // verilator lint_off UNDRIVEN
    (* anyconst *) wire [ENTRY_W-1:0] any_entry;      // the solver chooses
    (* anyconst *) wire [SLOT_W-1:0] any_slot;
    (* anyconst *) wire [ADDR_W-1:0]  base;
    (* anyseq *)   wire               track;
    // verilator lint_on UNDRIVEN
    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;
    always @* if (!started_q) assume (rst_i);
    wire [31:0] any_at = {{32-ENTRY_W{1'b0}}, any_entry} * TILES + {{32-SLOT_W{1'b0}}, any_slot};
    wire        legal = {1'b0, any_entry} < ENTRIES[ENTRY_W:0] && {1'b0, any_slot} < TILES[SLOT_W:0];
    always @* assume (legal);

    // The reference for tiles: resident CTAs of each tile of the entry, from the events alone.
    reg  [KINDS*COUNT_W-1:0] there_q;
    wire                     of_entry = cta_valid_i && cta_entry_i == any_entry;
    reg  [COUNT_W-1:0]       here, in_use;
    reg  [9:0]               held, busy_tiles, busy_slots;  // of at most 4 * 64
    reg                      twice, elsewhere;
    integer                  x, y;
    always @* begin
        here = {COUNT_W{1'b0}};                       // CTAs of the event's tile
        held = 10'd0;                       // CTAs on the SM, of this entry
        busy_tiles = 10'd0;
        busy_slots = 10'd0;
        twice = 1'b0;                                 // a tile has two slots
        elsewhere = 1'b0;                             // a tile's count is not that of its slot
        for (x = 0; x < KINDS; x = x + 1) begin
            if (cta_tile_i == x[TILE_W-1:0]) here = there_q[x*COUNT_W +: COUNT_W];
            held = held + {{10-COUNT_W{1'b0}}, there_q[x*COUNT_W +: COUNT_W]};
            busy_tiles = busy_tiles + {9'd0, |there_q[x*COUNT_W +: COUNT_W]};
            in_use = {COUNT_W{1'b0}};
            for (y = 0; y < TILES; y = y + 1)
                if (tile_q[(any_entry*TILES+y)*TILE_W +: TILE_W] == x[TILE_W-1:0]) begin
                    twice = twice || (|in_use && |residents_q[(any_entry*TILES+y)*COUNT_W +: COUNT_W]);
                    in_use = in_use | residents_q[(any_entry*TILES+y)*COUNT_W +: COUNT_W];
                end
            elsewhere = elsewhere || in_use != there_q[x*COUNT_W +: COUNT_W];
        end
        for (y = 0; y < TILES; y = y + 1)
            busy_slots = busy_slots + {9'd0, |residents_q[(any_entry*TILES+y)*COUNT_W +: COUNT_W]};
    end
    always @* if (of_entry) assume (cta_end_i ? |here : held < HELD[9:0]);
    integer z;
    always @(posedge clk_i)
        if (rst_i)
            there_q <= {KINDS*COUNT_W{1'b0}};
        else if (of_entry)
            for (z = 0; z < KINDS; z = z + 1)
                if (cta_tile_i == z[TILE_W-1:0])
                    there_q[z*COUNT_W +: COUNT_W] <= cta_end_i ? here - ONE_CTA : here + ONE_CTA;

    // The reference for the table: what was written last.
    reg [DIST_W-1:0] written_q;
    always @(posedge clk_i)
        if (rst_i) written_q <= {DIST_W{1'b0}};
        else if (wr_valid_i && wr_entry_i == any_entry && wr_slot_i == any_slot) written_q <= wr_distance_i;
    wire [31:0] any_tiles = {{31-SLOT_W{1'b0}}, {1'b0, any_slot} + NEXT_SLOT};
    wire        any_active = {{32-COUNT_W{1'b0}}, active_q[any_entry*COUNT_W +: COUNT_W]} == any_tiles;

    always @*
        if (started_q) begin
            active_is_tiles_with_ctas: assert ({{10-COUNT_W{1'b0}}, active_q[any_entry*COUNT_W +: COUNT_W]} == busy_tiles);
            slots_are_tiles_with_ctas: assert (busy_slots == busy_tiles);
            tile_has_one_slot: assert (!twice);
            slot_has_tiles_ctas: assert (!elsewhere);
            no_more_than_the_sm_holds: assert (held <= HELD[9:0]);
            table_is_reference: assert (distance_q[any_at*DIST_W +: DIST_W] == written_q);
        end

    // What an access triggers: only a miss, only inside, a distance that was written for that many tiles.
    wire [LINE_W-1:0] own_line   = acc_addr_i[ADDR_W-1:LINE_B];
    wire [LINE_W-1:0] kept_line  = target[LINE_W-1:0];
    wire [ADDR_W-1:0] kept_addr  = {kept_line, {LINE_B{1'b0}}};
    wire [ADDR_W:0]   by_written = {1'b0, acc_addr_i} + {{ADDR_W+1-DIST_W{1'b0}}, written_q};
    wire [ADDR_W:0]   by_access  = {1'b0, acc_addr_i} + {{ADDR_W+1-DIST_W{1'b0}}, acc_distance_i};
    wire              unused_low = &{1'b0, by_written[LINE_B-1:0], by_access[LINE_B-1:0]};
    wire              idle_entry = active_q[any_entry*COUNT_W +: COUNT_W] == {COUNT_W{1'b0}};
    wire              of_any     = acc_entry_i == any_entry;
    always @*
        if (started_q) begin
            trigger_leads_ahead: assert (!acc_kept_o || (kept_line > own_line && kept_addr < acc_bound_i));
            next_line_is_next: assert (!(acc_kept_o && acc_prefetch_i == 2'd1) || kept_line == own_line + 1'b1);
            distance_is_tables: assert (!(acc_kept_o && acc_prefetch_i == 2'd2 && of_any && any_active) ||
                                        {1'b0, kept_line} == by_written[ADDR_W:LINE_B]);
            distance_is_accesses: assert (!(acc_kept_o && acc_prefetch_i == 2'd2 && of_any && idle_entry) ||
                                          {1'b0, kept_line} == by_access[ADDR_W:LINE_B]);
            trigger_within_is_kept: assert (!(acc_valid_i && acc_missed_i && acc_prefetch_i == 2'd1 && !full && !(&own_line) &&
                                              {own_line + 1'b1, {LINE_B{1'b0}}} < acc_bound_i) || acc_kept_o);
        end

    // One prefetch, from its trigger on; nothing before it in the queue is younger.
    reg               tracked_q, ended_q;
    reg [WAIT_W-1:0]  slot_q;                        // in the queue
    reg [LINE_W-1:0]  its_line_q;
    reg [ADDR_W-1:0]  its_bound_q;
    wire              starts = acc_kept_o && track && !tracked_q && !ended_q;
    wire              leaves = tracked_q && (issue_o || drop_o) && slot_q == {WAIT_W{1'b0}};
    wire [ADDR_W-1:0] look_addr = {look_line_o, {LINE_B{1'b0}}};
    always @* if (starts) assume (base <= acc_addr_i && acc_addr_i < acc_bound_i);
    always @(posedge clk_i)
        if (rst_i) begin
            {tracked_q, ended_q} <= 2'b00;
            slot_q     <= {WAIT_W{1'b0}};
            its_line_q  <= {LINE_W{1'b0}};
            its_bound_q <= {ADDR_W{1'b0}};
        end else if (starts) begin
            tracked_q   <= 1'b1;
            slot_q     <= waiting_q;
            its_line_q  <= kept_line;
            its_bound_q <= acc_bound_i;
        end else if (leaves) begin
            {tracked_q, ended_q} <= 2'b01;
        end else if (tracked_q && (issue_o || drop_o)) begin
            slot_q <= slot_q - ONE_LINE;
        end

    // Triggers less issues and drops: what waits.
    reg [WAIT_W-1:0] owed_q;
    always @(posedge clk_i)
        if (rst_i) owed_q <= {WAIT_W{1'b0}};
        else owed_q <= owed_q + {{WAIT_W-1{1'b0}}, acc_kept_o} - {{WAIT_W-1{1'b0}}, issue_o || drop_o};

    always @*
        if (started_q) begin
            one_end_a_trigger: assert (owed_q == waiting_q && waiting_q <= ALL_LINES);
            one_end_a_cycle: assert (!(issue_o && drop_o) && !((issue_o || drop_o) && owed_q == {WAIT_W{1'b0}}));
            tracked_waits: assert (!tracked_q || (slot_q < waiting_q && line_q[slot_q*LINE_W +: LINE_W] == its_line_q));
            tracked_is_inside: assert (!tracked_q || ({its_line_q, {LINE_B{1'b0}}} >= base &&
                                                      {its_line_q, {LINE_B{1'b0}}} < its_bound_q));
            prefetch_lies_in_its_structure: assert (!(leaves && issue_o) || (look_addr >= base && look_addr < its_bound_q));
            prefetch_once: assert (!(tracked_q && ended_q));

            never_when_mshrs_run_short: assert (!issue_o || {21'd0, free_mshrs_i} > SPARE_MSHRS);
            never_when_queue_runs_short: assert (!issue_o || {21'd0, free_queue_i} >= SPARE_QUEUE + 1 + {31'd0, look_dirty_i});
            issued_if_nothing_is_against_it: assert (!(look_valid_o && !acc_valid_i && !acc_wait_i && look_known_i &&
                !look_there_i && look_way_i && {21'd0, free_mshrs_i} > SPARE_MSHRS &&
                {21'd0, free_queue_i} >= SPARE_QUEUE + 1 + {31'd0, look_dirty_i}) || issue_o);
        end

    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            // Nothing moves without a cause: the model may leave such cycles out.
            if ($past(!busy_o && !acc_valid_i && !cta_valid_i && !wr_valid_i))
                quiet: assert ($stable(distance_q) && $stable(tile_q) && $stable(residents_q) && $stable(active_q) &&
                               $stable(waiting_q) && $stable(line_q));
        end

    // What the above talks about can happen.
    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            issued_by_the_table: cover (leaves && issue_o && $past(starts && acc_prefetch_i == 2'd2 && of_any && any_active));
            with_two_tiles: cover (acc_kept_o && acc_prefetch_i == 2'd2 && of_any && busy_tiles == 2 && written_q != 0);
            with_no_tile: cover (acc_kept_o && acc_prefetch_i == 2'd2 && of_any && idle_entry);
            one_of_two_ctas_ends: cover ($past(of_entry && cta_end_i) && held == 1 && busy_tiles == 1 && $past(busy_tiles) == 1);
            tile_ends_and_begins: cover ($past(closes && cta_valid_i, 2) && $past(opens && cta_valid_i) && busy_tiles == HELD[9:0]);
            queue_is_full: cover (acc_lost_o);
            behind_the_end: cover (acc_valid_i && acc_missed_i && stride && !fits && acc_addr_i < acc_bound_i && |distance);
            beyond_all_addresses: cover (acc_valid_i && acc_missed_i && stride && target[LINE_W]);
            there: cover (drop_o && why_o == 2'd1);
            short_of_mshrs: cover (drop_o && why_o == 2'd2 && look_way_i && {21'd0, free_mshrs_i} == SPARE_MSHRS);
            short_for_dirty: cover (drop_o && why_o == 2'd2 && look_dirty_i && {21'd0, free_queue_i} == SPARE_QUEUE + 1);
            waits_for_accesses: cover (leaves && issue_o && $past(acc_wait_i) && $past(acc_valid_i, 2) && $past(tracked_q, 2));
        end
`endif
endmodule
`default_nettype wire
