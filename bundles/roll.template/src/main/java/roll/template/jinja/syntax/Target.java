package roll.template.jinja.syntax;

import java.util.List;
import roll.template.jinja.value.Namespace;
import roll.template.jinja.value.TemplateException;
import roll.template.jinja.value.Types;

/** The target of an assignment in a template. */
sealed interface Target {
  /** Assigns {@code value} to the target in {@code scope}. */
  void assign(Scope scope, Object value);

  /** A variable as target of an assignment. */
  record Variable(String name) implements Target {
    @Override
    public void assign(Scope scope, Object value) {
      scope.set(name, value);
    }
  }

  /** Assignment target: an attribute of a namespace. */
  record NamespaceAttribute(String namespace, String name) implements Target {
    @Override
    public void assign(Scope scope, Object value) {
      if (!(scope.get(namespace) instanceof Namespace owner)) {
        throw new TemplateException("cannot assign attribute on non-namespace object");
      }
      owner.attributes().put(name, value);
    }
  }

  /** Several assignment targets, one for each item of the value. */
  record Several(List<Target> targets) implements Target {
    @Override
    public void assign(Scope scope, Object value) {
      List<Object> items = Types.list(value);
      if (items.size() != targets.size()) {
        throw new TemplateException(
            "expected " + targets.size() + " values to unpack, got " + items.size());
      }
      for (int i = 0; i < items.size(); i++) {
        targets.get(i).assign(scope, items.get(i));
      }
    }
  }
}
