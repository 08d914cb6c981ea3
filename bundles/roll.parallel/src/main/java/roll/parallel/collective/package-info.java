/**
 * Collective operations of groups of ranks. The service is {@link
 * roll.parallel.collective.Collectives}; this bundle implements it for threads of this process,
 * other bundles for several processes and for cards.
 */
@Export
@NullMarked
@Version("1.0.0")
package roll.parallel.collective;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
