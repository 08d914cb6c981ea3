/** Contract tests of {@link roll.parallel.collective.Collectives}, for those who write one. */
@Export
@NullMarked
@Version("1.0.0")
package roll.collectives.testkit;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
