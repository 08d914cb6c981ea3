/** Commands for runs on several machines. */
@NullMarked
package roll.shell.node;

import org.jspecify.annotations.NullMarked;
