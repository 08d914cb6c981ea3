/** The output folder of a run: its lock, its log, its configuration, and safe writing into it. */
@NullMarked
package roll.core.output;

import org.jspecify.annotations.NullMarked;
