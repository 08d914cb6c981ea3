/**
 * Groups of ranks that add up and share memory. The service is {@link
 * roll.parallel.collective.Collectives}; ranks that are threads of this process have one in this
 * bundle; other processes and cards are reached by bundles of their own.
 */
@Export
@NullMarked
@Version("1.0.0")
package roll.parallel.collective;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
