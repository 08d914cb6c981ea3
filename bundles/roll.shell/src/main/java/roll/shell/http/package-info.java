/** Options and resources of commands that listen for HTTP. */
@NullMarked
package roll.shell.http;

import org.jspecify.annotations.NullMarked;
