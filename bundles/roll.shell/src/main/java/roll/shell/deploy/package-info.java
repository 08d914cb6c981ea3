/** Commands that deploy plugins and assemble distributions. */
@NullMarked
package roll.shell.deploy;

import org.jspecify.annotations.NullMarked;
