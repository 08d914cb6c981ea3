/** Options of plugins, read from a configuration and checked against their declarations. */
@Export
@NullMarked
@Version("1.0.0")
package roll.runtime.option;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
