package dev.sweep.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

/** The project keeps clear of the habits it bans. */
final class HabitsTest {

    private static final JavaClasses ALL = ProjectTree.allClasses();

    @Test
    void nobodySleeps() {
        Habits.NOBODY_SLEEPS.check(ALL);
    }

    @Test
    void noTestClassIsDisabled() {
        Habits.NO_TEST_CLASS_IS_DISABLED.check(ALL);
    }

    @Test
    void noTestMethodIsDisabled() {
        Habits.NO_TEST_METHOD_IS_DISABLED.check(ALL);
    }

    @Test
    void noPomGivesTestsASecondTry() throws Exception {
        for (Path pom : ProjectTree.poms()) {
            assertThat(givesTestsASecondTry(Files.readString(pom)))
                    .as("%s", pom)
                    .isFalse();
        }
    }

    @Test
    void aSecondTryInAPomIsSeen() throws Exception {
        assertThat(givesTestsASecondTry("<project><a><rerunFailingTestsCount>2</rerunFailingTestsCount></a></project>"))
                .isTrue();
        assertThat(givesTestsASecondTry(
                        "<project><surefire.rerunFailingTestsCount>1</surefire.rerunFailingTestsCount></project>"))
                .isTrue();
    }

    private static boolean givesTestsASecondTry(String pom) throws Exception {
        String counts = "//*[contains(local-name(), 'rerunFailingTestsCount') and normalize-space() != '0']";
        return "true"
                .equals(XPathFactory.newInstance()
                        .newXPath()
                        .evaluate("boolean(" + counts + ")", new InputSource(new StringReader(pom))));
    }
}
