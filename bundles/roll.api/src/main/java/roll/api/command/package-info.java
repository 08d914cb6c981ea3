/** What a command of the shell may count on. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.command;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
