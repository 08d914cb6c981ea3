/**
 * What a run tells of itself: progress, phase times, memory, throughput, and the trackers that get
 * it.
 */
@NullMarked
package roll.core.report;

import org.jspecify.annotations.NullMarked;
