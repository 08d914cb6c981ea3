package roll.cluster.identity;

import java.util.Objects;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;

/** Names in certificates: CN is the node. */
final class CertificateNames {
  private CertificateNames() {}

  /** The name of the node; empty if there is none. */
  static String node(X500Principal name) {
    try {
      return new LdapName(name.getName())
          .getRdns().stream()
              .filter(part -> part.getType().equalsIgnoreCase("CN"))
              .map(Rdn::getValue)
              .map(Objects::toString)
              .findFirst()
              .orElse("");
    } catch (InvalidNameException e) {
      return "";
    }
  }
}
