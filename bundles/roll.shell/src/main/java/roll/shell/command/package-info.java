/**
 * What a command of the shell is, in this bundle and in others: its syntax, and what it was called
 * with.
 */
@Export
@NullMarked
@Version("1.0.0")
package roll.shell.command;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
