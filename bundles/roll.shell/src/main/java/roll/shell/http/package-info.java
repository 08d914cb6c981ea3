/** What commands that listen for HTTP have in common. */
@NullMarked
package roll.shell.http;

import org.jspecify.annotations.NullMarked;
