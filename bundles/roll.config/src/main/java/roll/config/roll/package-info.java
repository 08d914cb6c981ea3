/** ROLL's keys that are read as others of ours. */
@NullMarked
package roll.config.roll;

import org.jspecify.annotations.NullMarked;
