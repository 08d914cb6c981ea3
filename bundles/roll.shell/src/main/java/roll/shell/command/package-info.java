/** The base of shell commands in any bundle: syntax, parsed arguments and help. */
@Export
@NullMarked
@Version("1.0.0")
package roll.shell.command;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
