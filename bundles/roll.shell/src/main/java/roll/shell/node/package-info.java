/** Commands for runs on many machines. */
@NullMarked
package roll.shell.node;

import org.jspecify.annotations.NullMarked;
