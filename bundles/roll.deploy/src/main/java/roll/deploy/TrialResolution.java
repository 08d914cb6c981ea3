package roll.deploy;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.hooks.resolver.ResolverHook;
import org.osgi.framework.hooks.resolver.ResolverHookFactory;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;

/**
 * Resolves a trial bundle as if the bundle that it would replace were gone, and wires no other
 * bundle to it.
 */
final class TrialResolution implements ResolverHookFactory, ResolverHook {
  private final Bundle trial;
  private final @Nullable Bundle replaced;

  TrialResolution(Bundle trial, @Nullable Bundle replaced) {
    this.trial = trial;
    this.replaced = replaced;
  }

  @Override
  public ResolverHook begin(Collection<BundleRevision> triggers) {
    return this;
  }

  @Override
  public void filterMatches(
      BundleRequirement requirement, Collection<BundleCapability> candidates) {
    boolean own = requirement.getRevision().getBundle() == trial;
    candidates.removeIf(
        capability -> capability.getRevision().getBundle() == (own ? replaced : trial));
  }

  @Override
  public void filterResolvable(Collection<BundleRevision> candidates) {
    // all are resolvable
  }

  @Override
  public void filterSingletonCollisions(
      BundleCapability singleton, Collection<BundleCapability> collisions) {
    // the trial name is unique
  }

  @Override
  public void end() {
    // no state
  }
}
