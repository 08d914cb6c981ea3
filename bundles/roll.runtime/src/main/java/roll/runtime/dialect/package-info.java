/** Words of other systems in a configuration, read as ours. */
@Export
@NullMarked
@Version("1.0.0")
package roll.runtime.dialect;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
