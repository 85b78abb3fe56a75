/* Who tells of which block (waves/track.h). */
#ifndef HARNESS_WAVES_TRACKS_H
#define HARNESS_WAVES_TRACKS_H

#include "hw/tafe/tafe.h"
#include "hw/twins/addr_decoder.h"
#include "hw/twins/addr_decoder_pipe.h"
#include "hw/twins/bypass_monitor.h"
#include "hw/twins/locality_table.h"
#include "hw/twins/paver.h"
#include "hw/twins/pin_replacement.h"
#include "hw/twins/prefetch_unit.h"
#include "hw/twins/pric.h"
#include "hw/twins/set_monitor.h"
#include "hw/twins/throttle.h"
#include "hw/twins/throttle_coordinator.h"
#include "waves/track.h"

track_teller track_tafe, track_paver;
track_teller track_pric, track_set_monitor, track_pin_replacement, track_bypass_monitor;
track_teller track_throttle, track_coordinator;
track_teller track_decoder, track_decoder_pipe;
track_teller track_locality_table, track_prefetch_unit;

#endif
