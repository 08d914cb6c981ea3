/** Contract tests: what every plugin of a kind must keep, for plugin authors. */
@Export
@NullMarked
@Version("1.0.0")
package roll.testkit;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
