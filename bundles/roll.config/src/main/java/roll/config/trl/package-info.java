/** The files of TRL's commands read as ours. */
@NullMarked
package roll.config.trl;

import org.jspecify.annotations.NullMarked;
