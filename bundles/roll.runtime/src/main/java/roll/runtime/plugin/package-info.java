/** Plugins by name, who offers them, and the messages for missing ones. */
@Export
@NullMarked
@Version("1.0.0")
package roll.runtime.plugin;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
