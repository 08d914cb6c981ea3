/** Services of the process for commands. */
@Export
@NullMarked
@Version("1.0.0")
package roll.runtime.command;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
