/** Tracker chart: learning curve as a picture. */
@NullMarked
package roll.tracking.chart;

import org.jspecify.annotations.NullMarked;
