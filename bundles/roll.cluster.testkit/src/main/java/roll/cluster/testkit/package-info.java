/** Contract tests of cluster engines. */
@Export
@NullMarked
@Version("1.0.0")
package roll.cluster.testkit;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
