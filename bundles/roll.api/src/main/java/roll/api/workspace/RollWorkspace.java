package roll.api.workspace;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.osgi.annotation.bundle.Attribute;
import org.osgi.annotation.bundle.Capability;
import org.osgi.service.component.annotations.ComponentPropertyType;

/**
 * Names a {@link WorkspaceProvider} service: what an option {@code workspace} refers to.
 *
 * <p>One annotation gives both the service property {@code roll.workspace} and a capability of that
 * namespace, so that a distribution can require the bundle by what it offers.
 */
@Capability(namespace = "roll.workspace", version = "1.0.0")
@ComponentPropertyType
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface RollWorkspace {
  /** The names a configuration may use; the first is the canonical one. */
  @Attribute("roll.workspace")
  String[] value();
}
