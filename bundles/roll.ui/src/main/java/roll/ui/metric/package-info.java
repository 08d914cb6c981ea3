/** The metrics of a run as series, of any length in bounded memory. */
@NullMarked
package roll.ui.metric;

import org.jspecify.annotations.NullMarked;
