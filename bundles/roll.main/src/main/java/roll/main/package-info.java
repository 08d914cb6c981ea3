/** The entry point: one command with its exit status, or the interactive shell. */
@NullMarked
package roll.main;

import org.jspecify.annotations.NullMarked;
