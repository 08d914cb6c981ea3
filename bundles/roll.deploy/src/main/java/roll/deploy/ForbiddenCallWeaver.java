package roll.deploy;

import java.lang.classfile.ClassHierarchyResolver;
import org.osgi.framework.Bundle;
import org.osgi.framework.hooks.weaving.WeavingException;
import org.osgi.framework.hooks.weaving.WeavingHook;
import org.osgi.framework.hooks.weaving.WovenClass;

/** Applies {@link ForbiddenCalls} to the classes of deployed bundles. */
final class ForbiddenCallWeaver implements WeavingHook {
  private final DeployFolder folder;

  ForbiddenCallWeaver(DeployFolder folder) {
    this.folder = folder;
  }

  @Override
  public void weave(WovenClass woven) {
    Bundle bundle = woven.getBundleWiring().getBundle();
    if (!folder.holds(bundle.getLocation())) {
      return;
    }
    String plugin = bundle.getSymbolicName() + " " + bundle.getVersion();
    ClassLoader loader = woven.getBundleWiring().getClassLoader();
    try {
      ForbiddenCalls.replace(woven.getBytes(), plugin, classes(loader)).ifPresent(woven::setBytes);
    } catch (RuntimeException e) {
      throw new WeavingException(
          "the class " + woven.getClassName() + " of " + plugin + " cannot be read: " + e, e);
    }
  }

  /** Resolves types by class files, since loading a class here would weave it recursively. */
  private static ClassHierarchyResolver classes(ClassLoader loader) {
    return ClassHierarchyResolver.ofResourceParsing(loader)
        .orElse(ClassHierarchyResolver.defaultResolver());
  }
}
